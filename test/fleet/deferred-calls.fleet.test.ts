import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { askModel } from '../../src/lab/testing/emulator/steps/model-steps.js';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startWorker } from '../../src/server/fleet/worker/start-worker.js';
import { openManager } from '../../src/server/managers/open-manager.js';
import { realPlace } from '../real/support/real-session.js';
import { temporaryFolder } from '../support/console.js';
import { programOf } from '../support/emulated-program.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('a call that a conversation of a fleet defers', () => {
  test('is made in the only slot when it is allowed, and its turn goes on to its end', async () => {
    const { manager, has } = await deferringFleet();
    const one = manager.conversation('one', { defer: ['Bash'] });
    const turn = one.send('make it');
    const asked = await prompted(one);
    asked.allow();
    expect(await turn.outcome).toMatchObject({ kind: 'success', text: 'over' });
    expect(has('made')).toBe(true);
    expect(one.prompts.open).toEqual([]);
  });

  test('stays open when its worker is drained, and is made by the next one', async () => {
    const { manager, has, start, worker } = await deferringFleet();
    const one = manager.conversation('one', { defer: ['Bash'] });
    one.send('make it');
    const { id } = await prompted(one);
    // A call whose turn has not ended yet is told about in a message.
    await expect.poll(() => one.state).toBe('deferred');
    await start();
    await worker.drain(0);
    await expect.poll(() => one.prompts.open.map((prompt) => prompt.id)).toEqual([id]);
    const kept = await prompted(one);
    kept.allow();
    await expect.poll(() => has('made'), { timeout: 20_000 }).toBe(true);
    await expect.poll(() => one.prompts.open).toEqual([]);
  });
});

type Talk = ReturnType<Awaited<ReturnType<typeof deferringFleet>>['manager']['conversation']>;

async function prompted(talk: Talk) {
  await expect.poll(() => talk.prompts.open.length, { timeout: 20_000 }).toBe(1);
  const [kept] = talk.prompts.open;
  if (kept?.kind !== 'permission') throw new Error('there is no kept prompt');
  return kept;
}

/** A fleet with one slot, on emulated CLIs that call a model and run tools. */
async function deferringFleet() {
  const version = '2.1.326';
  const place = await realPlace({ version, path: programOf(version) });
  onTestFinished(() => place[Symbol.asyncDispose]());
  const { home, cwd } = place.folders;
  const scenario = join(home, 'scenario.json');
  writeFileSync(scenario, JSON.stringify([{ on: 'user', steps: [askModel()], times: 'any' }]));
  place.model.play([
    { when: 'make it', reply: reply([toolUse('Bash', { command: 'touch made' })]) },
    { when: { toolResult: /.*/ }, reply: text('over') },
  ]);
  const env = { COXSWAIN_SCENARIO: scenario, COXSWAIN_SESSIONS: join(home, 'sessions') };
  const { cwd: _cwd, ...session } = place.options({ env });
  const { url: nats } = await natsServer();
  const start = async () => {
    const worker = await startWorker({
      nats,
      slots: 1,
      leaseSeconds: 30,
      roots: [cwd],
      configDir: join(home, '.claude'),
      stateFolder: await temporaryFolder(),
      session,
    });
    onTestFinished(() => worker.close());
    return worker;
  };
  const worker = await start();
  const manager = await openManager({ fleet: { nats }, defaults: { cwd } });
  onTestFinished(() => manager.close());
  return { manager, worker, start, has: (name: string) => existsSync(join(cwd, name)) };
}
