import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { deaf, noise } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { openManager } from '../../src/server/managers/open-manager.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { emulatedFleetManager, startEmulatingWorker } from '../support/fleet-manager.js';
import { echo } from '../support/manager.js';
import { withNats } from '../support/nats/with-nats.js';
import { createProxy } from '../support/tcp-proxy.js';

const always = { times: 'any' } as const;

/** Another program of the same fleet; it leaves after the test. */
async function another(nats: string) {
  const manager = await openManager({ fleet: { nats } });
  onTestFinished(() => manager.close());
  return manager;
}

withNats('a manager of a fleet', () => {
  test('finds the same conversation as another program, even if both ask at the same time', async () => {
    const { manager, clis, nats } = await emulatedFleetManager({ scenarios: [echo] });
    const other = await another(nats.url);
    const turns = [manager, other].map((each, index) => each.conversation('one').send(`${index}`));
    expect(await Promise.all(turns.map((turn) => turn.text()))).toEqual(['echo: 0', 'echo: 1']);
    expect(clis()).toBe(1);
    for (const each of [manager, other])
      await expect
        .poll(() => each.list().map(({ name, messages }) => [name, messages]))
        .toEqual([['one', 0]]);
  });

  test('shows a prompt to every program; the first answer counts, and the others learn of it', async () => {
    const asks = [useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }), say('Done.'), done()];
    const { manager, nats } = await emulatedFleetManager({ scenarios: [[onUser(undefined, asks, always)]] });
    const told: string[] = [];
    const turn = manager.conversation('one').send('x');
    manager.on('prompt', ({ prompt, state }) => told.push(`${prompt.kind} ${state}`));
    const other = await another(nats.url);
    await expect.poll(() => other.list()).toHaveLength(1);
    await expect.poll(() => other.find('one').prompts.open.length).toBe(1);
    await expect.poll(() => told).toEqual(['permission open']);
    const [prompt] = other.find('one').prompts.open;
    if (prompt?.kind === 'permission') prompt.deny('not now');
    expect(await turn.text()).toBe('Done.');
    await expect.poll(() => told).toEqual(['permission open', 'permission withdrawn']);
  });

  test('loses nothing when its program is killed: its messages are processed', async () => {
    const gate = deferred<void>();
    const slow = [onUser('long', [say('…'), act(() => gate.promise), done('long')]), ...echo];
    const { manager, nats } = await emulatedFleetManager({ scenarios: [slow] });
    const source = `
      import { openManager } from 'coxswain/manager';
      const manager = await openManager({ fleet: { nats: ${JSON.stringify(nats.url)} } });
      for (const text of ['long', 'waits']) manager.conversation('one').send(text);
    `;
    const flags = ['--input-type=module', '--eval', source];
    const program = spawn(process.execPath, flags, { stdio: 'inherit' });
    const exited = once(program, 'exit');
    onTestFinished(() => void program.kill('SIGKILL'));
    const outcomes: unknown[] = [];
    manager.on('turn', ({ outcome }) => outcomes.push(outcome));
    await expect.poll(() => manager.list()[0]?.messages, { timeout: 120_000 }).toBe(2);
    program.kill('SIGKILL');
    await exited;
    gate.resolve();
    await expect
      .poll(() => outcomes)
      .toMatchObject([
        { kind: 'success', text: 'long' },
        { kind: 'success', text: 'echo: waits' },
      ]);
  }, 180_000);

  test('leaves when the fleet has what was sent', async () => {
    const { manager, nats } = await emulatedFleetManager({ scenarios: [echo] });
    const leaving = await another(nats.url);
    const outcomes: unknown[] = [];
    manager.on('turn', ({ outcome }) => outcomes.push(outcome));
    const turns = ['a', 'b'].map((text) => leaving.conversation('one').send(text));
    await leaving.close();
    for (const turn of turns) expect(['closed', 'success']).toContain((await turn.outcome).kind);
    await expect.poll(() => outcomes).toMatchObject([{ text: 'echo: a' }, { text: 'echo: b' }]);
  });

  test('misses no part of a turn while its connection is cut', async () => {
    const gate = deferred<void>();
    const said = deferred<void>();
    const steps = [
      say('before'),
      act(() => gate.promise),
      say('meanwhile'),
      done('over'),
      act(() => said.resolve()),
    ];
    const { nats } = await emulatedFleetManager({ scenarios: [[onUser(undefined, steps, always)]] });
    const proxy = await createProxy(nats.port);
    const manager = await another(`nats://127.0.0.1:${proxy.port}`);
    const turn = manager.conversation('one').send('x');
    const texts: string[] = [];
    const reading = (async () => {
      for await (const { text } of turn.textDeltas()) texts.push(text);
    })();
    await expect.poll(() => texts.join('')).toBe('before');
    proxy.hold();
    gate.resolve();
    await said.promise;
    proxy.release();
    expect(await turn.text()).toBe('over');
    await reading;
    expect(texts.join('')).toBe('beforemeanwhile');
  });

  test('learns of a turn that was lost with its worker; waiting messages are sent by another worker', async () => {
    const stuck = [onUser('long', [say('…'), hang()]), ...echo];
    const { manager, nats, worker } = await emulatedFleetManager({ scenarios: [echo] });
    // Its first worker is behind a connection that can be cut.
    await worker.drain();
    const proxy = await createProxy(nats.port);
    await startEmulatingWorker(
      { scenarios: [stuck] },
      // It must hold on a busy machine until the connection is cut.
      { nats: `nats://127.0.0.1:${proxy.port}`, leaseSeconds: 10 },
    );
    const talk = manager.conversation('one');
    const [long, waits] = [talk.send('long'), talk.send('waits')];
    await long.began;
    await expect.poll(() => manager.list()[0]?.messages).toBe(2);
    await startEmulatingWorker({ scenarios: [echo] }, { nats: nats.url, leaseSeconds: 30 });
    proxy.hold();
    expect(await long.outcome).toMatchObject({ kind: 'cli-ended' });
    expect(await waits.text()).toBe('echo: waits');
    await expect.poll(() => talk.facts.messages).toBe(0);
  });

  test('lets workers park conversations that it only reads, but not those that it watches', async () => {
    const { manager } = await emulatedFleetManager({ scenarios: [echo] }, {}, { idleMs: 1 });
    const [watched, read] = [manager.conversation('watched'), manager.conversation('read')];
    const leave = watched.watch();
    read.on('message', () => {});
    await watched.send('x').outcome;
    await read.send('x').outcome;
    await expect.poll(() => read.state).toBe('parked');
    expect(watched.state).toBe('running');
    leave();
    await expect.poll(() => watched.state).toBe('parked');
  });

  test('ends a turn by stop() or its signal although its CLI is silent', async () => {
    const silent = [onRequest('initialize', [deaf()])];
    const { manager } = await emulatedFleetManager({ scenarios: [silent] });
    const [one, two] = [manager.conversation('one'), manager.conversation('two')];
    const caller = new AbortController();
    const [stopped, aborted] = [one.send('x'), two.send('x', { signal: caller.signal })];
    await Promise.all([stopped.began, aborted.began]);
    caller.abort('enough');
    expect(await stopped.stop()).toMatchObject({ kind: 'interrupted' });
    expect(await aborted.outcome).toMatchObject({ kind: 'aborted', cause: 'enough' });
    expect([one.turns, two.turns]).toEqual([[], []]);
  });

  test('reports diagnostics to onDiagnostic', async () => {
    const scenario = [onUser(undefined, [noise('not a line of the protocol'), say('Done.'), done()], always)];
    const told: unknown[] = [];
    const { manager } = await emulatedFleetManager(
      { scenarios: [scenario] },
      { onDiagnostic: (value) => told.push(value) },
    );
    await manager.conversation('one').send('x').outcome;
    await expect
      .poll(() => told)
      .toMatchObject([{ conversation: 'one', diagnostic: { code: 'NOISE_LINE' } }]);
  });

  test('refuses options that do not reach a worker, by name and with an alternative', async () => {
    const { manager, nats } = await emulatedFleetManager({ scenarios: [echo] });
    const fleet = { nats: nats.url };
    const refused: readonly [object, string, RegExp][] = [
      [{ fleet, store: 'x' }, 'store', /NATS/],
      [{ fleet, maxRunning: 1 }, 'maxRunning', /--slots/],
      [{ fleet, optionsFor: () => ({}) }, 'optionsFor', /defaults/],
      [{ fleet, defaults: { onPermission: () => {} } }, 'onPermission', /on\("prompt"/],
      [{ fleet, defauts: {} }, 'defauts', /defaults/],
      [{ fleet: {} }, 'fleet', /nats/],
    ];
    for (const [options, option, message] of refused)
      await expect(openManager(options as never)).rejects.toMatchObject({
        code: 'OPTION_INVALID',
        option,
        message: expect.stringMatching(message),
      });
    for (const name of ['hooks', 'mcpServers', 'env', 'cli', 'workspace', 'id'])
      expect(() => manager.conversation('one', { [name]: {} } as never)).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID', option: name }),
      );
    const talk = manager.conversation('one');
    expect(() => talk.schedule({ cron: 'soon', timezone: 'UTC', text: 'x' })).toThrow(/cannot be read/);

    expect(await talk.transcript()).toEqual([]);
    expect(await talk.interrupt()).toBe(false);
  });

  test('passes its options to the CLI, and to the next one', async () => {
    const { manager, launches } = await emulatedFleetManager({ scenarios: [echo] });
    const options = { model: 'first', allowedTools: ['Read'], maxTurns: 3 } as const;
    const talk = manager.conversation('one', options);
    await talk.send('x').outcome;
    await talk.setModel('second');
    await talk.park();
    await talk.send('y').outcome;
    const flags = ['--model', '--allowedTools', '--max-turns'];
    const given = launches.map(({ arguments: args }) =>
      flags.map((flag) => args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1)),
    );
    expect(given).toEqual([
      ['first', 'Read', '3'],
      ['second', 'Read', '3'],
    ]);
  });

  test('reports that it cannot reach a NATS server', async () => {
    await expect(openManager({ fleet: { nats: 'nats://127.0.0.1:1', startMs: 0 } })).rejects.toMatchObject({
      code: 'FLEET_NOT_STARTED',
    });
  });
});
