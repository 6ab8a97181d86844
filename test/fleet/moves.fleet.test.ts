import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import { Objm } from '@nats-io/obj';
import { connect } from '@nats-io/transport-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reply, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { KnownRealCli } from '../../src/lab/testing/real-cli/known-clis.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import { describeRealClis, REAL_CLI_VERSIONS } from '../real/support/each-real-cli.js';
import { type RealPlace, realPlace } from '../real/support/real-session.js';
import { BareClient, isCliMessage, temporaryFolder } from '../support/console.js';
import { startTestGateway } from '../support/fleet.js';
import { workerProcess } from '../support/fleet-processes.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('a conversation of a real CLI', () => {
  describeRealClis('that moves', (cli) => {
    test('knows on the next worker what was said on the one that was killed', async () => {
      await using one = await realPlace(cli);
      await using two = await realPlace(cli);
      const { url: nats } = await natsServer();
      const root = one.folders.cwd;
      const first = await workerProcess({ nats, root, leaseSeconds: 8, ...cliOf(one) });
      const gateway = await startTestGateway({ fleet: { nats } });
      const client = await BareClient.connect(gateway);
      one.model.play([{ when: 'the word is heron', reply: text('noted') }]);
      two.model.play([{ when: 'which word', reply: text('heron') }]);
      const { session } = await client.ask('open', { cwd: root });
      client.attach(session);
      await client.ask('send', { content: 'the word is heron' }, { session });
      await client.event('line', isCliMessage('result'));
      await saved(nats, 1);
      await workerProcess({ nats, root, ...cliOf(two), leaseSeconds: 60 });
      first.signal('SIGKILL');
      await client.ask('send', { content: 'which word' }, { session });
      await client.event('line', isCliMessage('result'));
      expect(JSON.stringify(two.model.model.requests.at(-1))).toContain('the word is heron');
    });
  });

  const [newest] = REAL_CLI_VERSIONS.slice(-1);
  const forked = (cli: KnownRealCli) => {
    test('knows on another worker what was said before, and is not opened twice', async () => {
      await using one = await realPlace(cli);
      await using two = await realPlace(cli);
      const { url: nats } = await natsServer();
      const root = one.folders.cwd;
      await workerProcess({ nats, root, leaseSeconds: 60, ...cliOf(one) });
      const client = await BareClient.connect(await startTestGateway({ fleet: { nats } }));
      one.model.play([{ when: 'the word is heron', reply: text('noted') }]);
      two.model.play([{ when: 'which word', reply: text('heron') }]);
      const { session } = await client.ask('open', { cwd: root });
      client.attach(session);
      await client.ask('send', { content: 'the word is heron' }, { session });
      const { session_id: resume } = await resultOf(client);
      await saved(nats, 1);
      await workerProcess({ nats, root, leaseSeconds: 60, labels: ['two'], ...cliOf(two) });
      const open = { cwd: root, resume: String(resume), place: { labels: ['two'] } };
      const second = await client.command('open', open);
      expect(second).toMatchObject({ ok: false, error: { message: expect.stringContaining(session) } });
      const fork = await client.ask('open', { ...open, forkSession: true });
      client.attach(fork.session);
      await client.ask('send', { content: 'which word' }, { session: fork.session });
      await resultOf(client);
      expect(JSON.stringify(two.model.model.requests.at(-1))).toContain('the word is heron');
    });
  };
  describeRealClis('that is forked', forked, newest === undefined ? [] : [newest]);

  // What git brings is the same for all versions.
  const withFiles = (cli: KnownRealCli) => {
    test('finds its files on the next worker, by a checkpoint in git', async () => {
      await using one = await realPlace(cli);
      await using two = await realPlace(cli);
      const { url: nats } = await natsServer();
      const folder = await temporaryFolder();
      const remote = join(folder, 'remote.git');
      execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
      const workspaces = (name: string) => ({ git: { remote, root: join(folder, name) } });
      const root = folder;
      const first = await workerProcess({
        nats,
        root,
        leaseSeconds: 60,
        ...cliOf(one),
        workspaces: workspaces('one'),
      });
      const gateway = await startTestGateway({ fleet: { nats } });
      const client = await BareClient.connect(gateway);
      one.model.play([
        { when: 'make it', reply: reply([toolUse('Bash', { command: 'echo heron > made.txt' })]) },
        { when: { toolResult: /.*/ }, reply: text('made') },
      ]);
      two.model.play([{ when: 'is it there', reply: text('yes') }]);
      const { session } = await client.ask('open', { cwd: root });
      client.attach(session);
      await client.ask('send', { content: 'make it' }, { session });
      await allowIfAsked(client, session);
      await workerProcess({ nats, root, leaseSeconds: 60, ...cliOf(two), workspaces: workspaces('two') });
      first.tell('drain');
      await first.exited;
      await client.ask('send', { content: 'is it there' }, { session });
      await client.event('line', isCliMessage('result'));
      expect(readFileSync(join(folder, 'two', session, 'made.txt'), 'utf8')).toBe('heron\n');
      expect(JSON.stringify(two.model.model.requests.at(-1))).toContain('make it');
      expect(existsSync(join(folder, 'one', session, 'made.txt'))).toBe(true);
    });
  };
  describeRealClis('that moves with its files', withFiles, newest === undefined ? [] : [newest]);
});

/** The options of a worker's process for the CLI of a place. */
function cliOf(place: RealPlace) {
  const { cwd: _cwd, ...session } = place.options();
  return { session, configDir: join(place.folders.home, '.claude') };
}

/** Waits for the end of a turn. Some versions ask before a command, others do not. */
async function allowIfAsked(client: BareClient, session: string): Promise<void> {
  const isEnd = isCliMessage('result');
  const { event } = await client.next(
    ({ event: each }) => isObject(each) && (each.kind === 'prompt' || isEnd(each)),
  );
  if (!isObject(event) || !isObject(event.prompt)) return;
  const answer = { prompt: String(event.prompt.id), answer: { answer: 'allow' } } as const;
  await client.ask('answer', answer, { session });
  await client.event('line', isEnd);
}

/** The next result of a turn. */
async function resultOf(client: BareClient): Promise<WireObject> {
  const { event } = await client.event('line', isCliMessage('result'));
  return isObject(event) && isObject(event.frame) ? event.frame : {};
}

/** Waits until the engine has the transcripts of so many conversations. */
async function saved(nats: string, count: number): Promise<void> {
  const connection = await connect({ servers: nats });
  onTestFinished(() => connection.close());
  const objects = await new Objm(jetstream(connection)).open('coxswain_transcripts');
  const transcripts = async () => (await objects.list()).filter(({ name }) => name.split('/').length === 2);
  await vi.waitFor(async () => expect(await transcripts()).toHaveLength(count), {
    timeout: 60_000,
    interval: 100,
  });
}
