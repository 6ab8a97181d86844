import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { describeRealClis } from '../real/support/each-real-cli.js';
import { realPlace } from '../real/support/real-session.js';
import { inFiles, keyFor, onCommandLines, ownLogs } from '../real/support/secret-search.js';
import { BareClient, temporaryFolder } from '../support/console.js';
import { startCoxProcess } from '../support/cox-process.js';
import { eventuallyEmpty } from '../support/eventually.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

const KEYS = ['serverEnv', 'serverHeader', 'settings', 'agent', 'added', 'worker', 'nats', 'token'].map(
  keyFor,
);
const [serverEnv = '', serverHeader = '', inSettings = '', inAgent = '', inAdded = ''] = KEYS;
const [ofWorker = '', ofNats = '', ofGateway = ''] = KEYS.slice(5);

const near = { command: process.execPath, args: [resolve('test/fixtures/mcp/echo.mjs')] };
const far = {
  type: 'http' as const,
  url: 'http://127.0.0.1:9/mcp',
  headers: { Authorization: `Bearer ${serverHeader}` },
};

withNats('secrets on a fleet', () => {
  describeRealClis('with a real CLI', (cli) => {
    test('of a program, a worker and NATS are on no command line, in no output, in no file that stays, and not in NATS', async ({
      skip,
    }) => {
      if (process.platform !== 'linux') skip('only Linux shows the command lines of all processes in /proc');
      await using place = await realPlace(cli);
      const { home, tmp, cwd } = place.folders;
      const config = `authorization { users: [{ user: one, password: ${JSON.stringify(ofNats)} }] }`;
      const nats = await natsServer({ config });
      const state = { worker: join(home, 'worker'), gateway: join(home, 'gateway') };
      const env = {
        ...scrubbedEnvironment({ home, tmp, modelUrl: place.model.model.url }),
        ...{ NATS_USER: 'one', NATS_PASSWORD: ofNats, IS_SANDBOX: '1', KEY_OF_WORKER: ofWorker },
      };
      const where = ['--nats', nats.url, '--json'];
      const worker = ['worker', ...where, '--root', cwd, '--cli', cli.path, '--state', state.worker];
      await using atWork = startCoxProcess(worker, { env });
      await atWork.until('\n');
      const gateway = ['console', ...where, '--port', '0', '--no-open', '--state', state.gateway];
      await using atGate = startCoxProcess(gateway, {
        env: { ...env, KEY_OF_WORKER: '', COXSWAIN_TOKEN: ofGateway },
      });
      await atGate.until('\n');
      const remote = String(JSON.parse(atGate.out).url);
      const diagnostics: Diagnostic[] = [];
      const record = join(await temporaryFolder(), 'session.trace');
      const session = await openSession({
        ...{ remote, cwd, model: 'sonnet', record },
        mcpServers: { near: { ...near, env: { KEY: serverEnv } }, far },
        settings: { env: { FROM_SETTINGS: inSettings } },
        agents: { helper: { description: 'Helps', prompt: `Use ${inAgent}.` } },
        allowedTools: ['Bash'],
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      place.model.play([
        toolUse('Bash', {
          command: 'test -n "$FROM_SETTINGS" && test -n "$KEY_OF_WORKER" && echo both-are-set',
        }),
        { when: { toolResult: 'both-are-set' }, reply: text('Done.') },
      ]);
      await session.mcp.add({ added: { ...near, env: { KEY: inAdded } } });
      expect(await session.send('Go').text()).toBe('Done.');
      expect(onCommandLines(KEYS)).toEqual([]);
      const { mcpServers } = await session.mcp.status();
      const connected = mcpServers.filter(({ status }) => status === 'connected').map(({ name }) => name);
      expect(connected).toEqual(expect.arrayContaining(['near', 'added']));
      // What is in NATS while the conversation can be continued, and after it.
      const inNats = () => inFiles(KEYS, nats.storeDir);
      expect(inNats()).toEqual([]);
      await session.close();
      expect(inNats()).toEqual([]);
      const left = (but: RegExp) => inFiles(KEYS, join(home, '..'), but);
      const own = ownLogs(cli.version, 'far');
      // A worker keeps what a program gave it, to reopen the session, until it is deleted.
      const kept = new RegExp(`${own.source}|^${state.worker}/workers/[^/]+/sessions/`);
      // The worker removes them once nothing is left of the CLI; its end may be heard before that.
      await eventuallyEmpty(() => left(kept));
      const client = await BareClient.connect(JSON.parse(atGate.out));
      const listed = (await client.ever(({ type }) => type === 'sessions')).sessions;
      const id = String((Array.isArray(listed) ? listed[0] : undefined)?.id);
      await client.ask('remove', {}, { session: id });
      await eventuallyEmpty(() => left(own));
      expect(inFiles(KEYS, join(record, '..'))).toEqual([]);
      const printed = [atWork.out, atWork.err, atGate.err, nats.log(), JSON.stringify(diagnostics)].join(
        '\n',
      );
      expect(KEYS.filter((key) => printed.includes(key))).toEqual([]);
      // The gateway prints the address that it is opened with.
      expect(KEYS.filter((key) => atGate.out.includes(key))).toEqual([ofGateway]);
    });
  });
});
