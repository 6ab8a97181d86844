import { describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import { KeyFile } from '../../src/server/console/keys/key-file.js';
import { agentChecks, type CheckedAgent } from '../acp-checks/checks.js';
import {
  byPipe,
  bySocket,
  type ServedConsole,
  socketAddress,
  startedConsole,
} from '../support/acp-consoles.js';
import { acpPlace } from '../support/acp-places.js';
import { processesOf } from '../support/acpx.js';
import { programOf } from '../support/emulated-program.js';

const emulated = programOf('2.1.326');

/** A pipe only passes lines on to the socket: an answer, a refusal, updates, and requests to the editor show that. */
const passedOn = agentChecks.slice(0, 4);

describe.each([
  ['a socket', agentChecks],
  ['a pipe', passedOn],
])('an editor on the sessions of a console, by %s', (way, checks) => {
  test.each(checks)('$name', async ({ run }) => {
    await using place = await acpPlace(emulated);
    await using served = await startedConsole(place, emulated);
    const connect = way === 'a socket' ? bySocket(served) : byPipe(place, served);
    const agent: CheckedAgent = { cwd: place.cwd, connect };
    await run(agent);
  });
});

test('prompts appear in the editor and in the console, and the first answer counts', async () => {
  await using place = await acpPlace(emulated);
  await using served = await startedConsole(place, emulated);
  await using console = new ConsoleClient(served);
  await console.listed;
  const withdrawn: unknown[] = [];
  let answerIt: (() => void) | undefined;
  await using editor = bySocket(served)({
    permission: ({ options }, signal) => {
      signal.addEventListener('abort', () => withdrawn.push(options.length));
      const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
      return new Promise((settle) => {
        answerIt = () => settle({ outcome: { outcome: 'selected', optionId } });
      });
    },
  });
  await editor.initialize();
  const sessionId = await editor.begin(place.cwd);
  const open = () => console.sessions.find(({ conversation }) => conversation === sessionId);
  const changed = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((wake) => void console.on('session', () => wake()));
  };

  const first = editor.prompt(sessionId, 'make a file');
  await editor.until(() => editor.permissions.length === 1);
  await changed(() => open()?.prompts.length === 1);
  const [prompt] = open()?.prompts ?? [];
  const session = open()?.id;
  const answer = { prompt: prompt?.id ?? '', answer: { answer: 'deny', reason: 'Not now.' } } as const;
  expect(await console.command('answer', answer, { session })).toMatchObject({ accepted: true });
  expect(await first).toBe('end_turn');
  expect(editor.of('tool_call_update').at(-1)?.status).toBe('failed');
  expect(withdrawn).toHaveLength(1);

  const second = editor.prompt(sessionId, 'make a file');
  await editor.until(() => editor.permissions.length === 2);
  answerIt?.();
  expect(await second).toBe('end_turn');
  expect(editor.of('tool_call_update').at(-1)?.status).toBe('completed');
  await changed(() => open()?.prompts.length === 0);
});

test.runIf(process.platform === 'linux')(
  'a session continues with its CLI when the editor is lost during a turn, and the next editor finds it',
  async () => {
    await using place = await acpPlace(emulated);
    await using served = await startedConsole(place, emulated);
    const lost = bySocket(served)({ permission: () => new Promise(() => {}) });
    await lost.initialize();
    const sessionId = await lost.begin(place.cwd);
    lost.prompt(sessionId, 'make a file').catch(() => {});
    await lost.until(() => lost.permissions.length === 1);
    const before = processesOf(place);
    await lost[Symbol.asyncDispose]();
    await using editor = bySocket(served)({
      permission: ({ options }) => {
        const optionId = options.find(({ kind }) => kind === 'allow_once')?.optionId ?? '';
        return { outcome: { outcome: 'selected', optionId } };
      },
    });
    await editor.initialize();
    await editor.agent.request('session/load', { sessionId, cwd: place.cwd, mcpServers: [] });
    await editor.until(() => editor.text.includes('That is done.'));
    expect(editor.permissions).toHaveLength(1);
    expect(await editor.prompt(sessionId, 'say hello')).toBe('end_turn');
    // Processes that only live for a moment come and go; a second CLI would stay.
    await expect.poll(() => processesOf(place).filter((id) => !before.includes(id))).toEqual([]);
    expect(processesOf(place)).not.toEqual([]);
  },
);

test('a key that is not an owner key is refused, and so is none', async () => {
  await using place = await acpPlace(emulated);
  await using served = await startedConsole(place, emulated);
  const watching = new URL(served.watchUrl).hash.replace('#token=', '');
  expect(await refusalOf(served, watching)).toBe(403);
  const operator = new KeyFile(`${place.env.HOME}/state`).add('hands', 'operator');
  expect(await refusalOf(served, operator)).toBe(403);
  expect(await refusalOf(served, 'no such token')).toBe(401);
});

/** The HTTP status of a refused socket. */
function refusalOf(served: ServedConsole, token: string): Promise<number | undefined> {
  const socket = new WebSocket(socketAddress(served), { headers: { authorization: `Bearer ${token}` } });
  return new Promise((found) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (request, { statusCode }) => {
      request.destroy();
      found(statusCode);
    });
  });
}
