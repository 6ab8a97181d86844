import { expect, test } from 'vitest';
import type { StartedAgent } from '../acp-checks/agent-client.js';
import { acpPlace } from '../support/acp-places.js';
import { processesOf } from '../support/acpx.js';
import { programOf } from '../support/emulated-program.js';
import { commandOf } from './process-helpers.js';

const emulated = programOf('2.1.326');

const ways: readonly (readonly [string, (agent: StartedAgent) => unknown])[] = [
  ['closes the pipe', ({ child }) => child.stdin.end()],
  ['is gone from both pipes', ({ child }) => [child.stdout.destroy(), child.stdin.destroy()]],
  ['sends SIGTERM', ({ child }) => child.kill('SIGTERM')],
  ['sends SIGINT', ({ child }) => child.kill('SIGINT')],
];

test.runIf(process.platform === 'linux').each(ways)(
  'a client that %s during a turn leaves no process running',
  async (_way, leave) => {
    await using place = await acpPlace(emulated);
    const agent = place.connect();
    await agent.initialize();
    const sessions = [await agent.begin(place.cwd), await agent.begin(place.cwd)];
    for (const sessionId of sessions) agent.prompt(sessionId, 'wait forever').catch(() => {});
    // The pieces of both may arrive in any order.
    await agent.until(() => agent.text.length === 'WaitingWaiting'.length);
    expect(processesOf(place).length).toBeGreaterThanOrEqual(3);
    leave(agent);
    await agent.exited;
    await expect.poll(() => processesOf(place)).toEqual([]);
  },
);

test.runIf(process.platform === 'linux')(
  'a CLI that dies during a turn is an error of that turn, and the session continues',
  async () => {
    await using place = await acpPlace(emulated);
    await using agent = place.connect({ permission: () => new Promise(() => {}) });
    await agent.initialize();
    const sessionId = await agent.begin(place.cwd);
    const turn = agent.prompt(sessionId, 'make a file');
    await agent.until(() => agent.permissions.length === 1);
    const [cli] = processesOf(place).filter(
      (pid) => pid !== agent.child.pid && commandOf(pid).includes(emulated),
    );
    expect(cli).toBeGreaterThan(1);
    process.kill(Number(cli), 'SIGKILL');
    await expect(turn).rejects.toMatchObject({ code: -32_603, data: { code: 'CLI_ENDED' } });
    expect(await agent.prompt(sessionId, 'say hello')).toBe('end_turn');
  },
);

test('a line that is not JSON and a message that is not a request are answered, and the agent continues', async () => {
  await using place = await acpPlace(emulated);
  await using agent = place.connect();
  await agent.initialize();
  agent.child.stdin.write(
    'not json\n[]\n{"jsonrpc":"2.0","id":900}\n{"jsonrpc":"2.0","method":"no/such/thing"}\n',
  );
  expect(await agent.prompt(await agent.begin(place.cwd), 'say hello')).toBe('end_turn');
});

test('without a CLI a session is refused, with the places that were searched', async () => {
  await using place = await acpPlace('/nowhere/claude');
  await using agent = place.connect();
  await agent.initialize();
  await expect(agent.begin(place.cwd)).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringContaining('/nowhere/claude'),
  });
});
