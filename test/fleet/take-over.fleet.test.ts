import { expect, onTestFinished, test } from 'vitest';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { BareClient, eventIn, isCliMessage, temporaryFolder } from '../support/console.js';
import { startCoxProcess, type Watched } from '../support/cox-process.js';
import { isPieceEvent, startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { FleetTalk } from '../support/fleet-talk.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const LEASE_S = 3;
const FIX = 'The test of the greeting fails. Please fix it.';

/** A worker in a separate process, with emulated CLIs. */
interface WorkerProcess {
  readonly id: string;
  readonly process: Watched;
}

async function startWorkerProcess(nats: string, root: string): Promise<WorkerProcess> {
  const state = await temporaryFolder();
  const flags = ['--demo', '--lease', String(LEASE_S), '--root', root, '--state', state, '--json'];
  const process = startCoxProcess(['worker', '--nats', nats, ...flags]);
  onTestFinished(async () => {
    process.child.kill('SIGKILL');
    await process.exited;
  });
  await process.until('\n');
  return { id: String(JSON.parse(process.out).worker), process };
}

withNats('a worker', () => {
  test.each(['SIGKILL', 'SIGSTOP'] as const)(
    'that gets %s is replaced: its prompt stays open, the interrupted work is reported, and the log continues',
    async (signal) => {
      const { url: nats } = await natsServer();
      const root = await temporaryFolder();
      const one = await startWorkerProcess(nats, root);
      const server = await startTestGateway({ fleet: { nats } });
      const client = await BareClient.connect(server);
      const { session } = await client.ask('open', { cwd: root });
      client.attach(session);
      await client.ask('send', { content: FIX }, { session });
      const { prompt } = eventIn(await client.event('prompt'));
      // Only this one can have it.
      const two = await startWorkerProcess(nats, root);
      const before = client.events.filter((event) => !isPieceEvent(event));
      one.process.child.kill(signal);
      expect(eventIn(await client.event('end')).end).toEqual({
        reason: 'failed',
        error:
          'The worker of this conversation is gone. Its turn was interrupted; the effects of tools are not undone. Answer its open prompts, or send a message, to continue.',
      });
      // It waits without a CLI, and can be answered by its id.
      await client.event('state', ({ state }) => state === 'parked');
      const { id } = prompt as WireObject;
      const answered = await client.ask(
        'answer',
        { prompt: String(id), answer: { answer: 'allow' } },
        { session },
      );
      expect(answered).toMatchObject({ accepted: true });
      expect(eventIn(await client.event('prompt-settled'))).toMatchObject({ prompt: id, how: 'answered' });
      // The next CLI is told, makes the call again, and gets the answer without asking anybody.
      const [told] = client.events
        .map(eventIn)
        .filter(({ kind, content }) => kind === 'queued' && content !== FIX);
      expect(told).toMatchObject({
        content: expect.stringContaining('is now allowed'),
        by: { name: 'Coxswain' },
      });
      await client.event('prompt-settled', ({ prompt: again, how }) => again !== id && how === 'answered');
      await client.event('prompt', ({ prompt: next }) => (next as WireObject).kind === 'question');
      if (signal === 'SIGSTOP') {
        one.process.child.kill('SIGCONT');
        // It starts again, and reports it.
        await one.process.until('\n');
      }
      const late = await BareClient.connect(server);
      late.attach(session);
      const all = client.events.filter((event) => !isPieceEvent(event));
      await late.ever(({ type, n }) => type === 'event' && n === all.at(-1)?.n);
      const seen = late.events.filter((event) => !isPieceEvent(event));
      expect(seen.slice(0, all.length)).toEqual(all);
      expect(all.slice(0, before.length)).toEqual(before);
      expect(new Set(seen.map(({ n }) => n)).size).toBe(seen.length);
      expect(two.process.err).not.toContain('lost');
    },
    90_000,
  );

  test('that is stopped drains: its turn completes, and another worker continues with the next message', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const one = await startWorkerProcess(nats, root);
    const server = await startTestGateway({ fleet: { nats } });
    const client = await BareClient.connect(server);
    const { session } = await client.ask('open', { cwd: root });
    client.attach(session);
    await client.ask('send', { content: FIX }, { session });
    const { prompt } = eventIn(await client.event('prompt'));
    await startWorkerProcess(nats, root);
    one.process.child.kill('SIGTERM');
    await one.process.until('Draining', 'err');
    const deny = { answer: 'deny', reason: 'Not now', interrupt: true } as const;
    await client.ask('answer', { prompt: String((prompt as WireObject).id), answer: deny }, { session });
    await client.event('line', isCliMessage('result'));
    expect(await one.process.exited).toBe(0);
    await client.event('state', ({ state }) => state === 'parked');
    await client.ask('send', { content: FIX }, { session });
    await client.event('prompt');
    expect(client.events.map(eventIn).filter(({ kind }) => kind === 'end')).toHaveLength(1);
  }, 90_000);

  test('with few slots takes all conversations of one that is gone: their CLIs start with the next message', async () => {
    const { url: nats } = await natsServer();
    const root = await temporaryFolder();
    const one = await workerProcess({ nats, root });
    const server = await startTestGateway({ fleet: { nats } });
    const talks = await Promise.all(
      Array.from({ length: 12 }, () => FleetTalk.open(server, { cwd: root, nats })),
    );
    const two = await workerProcess({ nats, root, slots: 2 });
    one.signal('SIGKILL');
    const isParked = ({ state }: WireObject) => state === 'parked';
    await Promise.all(talks.map(({ client }) => client.event('state', isParked)));
    const owners = await Promise.all(talks.map((talk) => talk.owners()));
    expect(new Set(owners.map((each) => each.at(-1)))).toEqual(new Set([await two.heard('worker')]));
    await Promise.all(talks.slice(0, 2).map((talk) => talk.talk(1)));
    expect((await Promise.all(talks.map((talk) => talk.problems()))).flat()).toEqual([]);
  }, 90_000);
});
