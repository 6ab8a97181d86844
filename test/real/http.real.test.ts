import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { HttpClient } from '../support/http-client.js';
import { lacking } from '../support/lacking.js';
import { describeRealClis } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { pidServer } from './support/tool-turn.js';

// The Python program of the how-to, unchanged, with a real CLI behind the server.
const [, PROGRAM = ''] =
  /^```python\n([\s\S]*?)^```$/m.exec(readFileSync('docs/how-to/any-language.md', 'utf8')) ?? [];
const run = promisify(execFile);

async function served(place: RealPlace) {
  const { cwd, home } = place.folders;
  const { cwd: _cwd, ...session } = place.options();
  const server = await startConsole({
    roots: [cwd],
    stateFolder: join(home, 'state'),
    configDir: join(home, '.claude'),
    session,
  });
  onTestFinished(() => server.close());
  return server;
}

describeRealClis(
  'over HTTP',
  (cli) => {
    test('Python runs a conversation: a permission, a question, a tool call, an interrupt, a resume', async ({
      skip,
    }) => {
      const noPython = lacking('python3');
      skip(noPython !== '', noPython);
      await using place = await realPlace(cli);
      const { cwd, home } = place.folders;
      const server = await served(place);
      const options = ['SQLite', 'Postgres'].map((label) => ({ label, description: label }));
      const asked = { question: 'Which database?', header: 'Database', multiSelect: false, options };
      place.model.play([
        { when: 'What is here', reply: reply([toolUse('Bash', { command: 'touch made-by-python' })]) },
        { when: { toolResult: /./ }, reply: text('One file.') },
        { when: 'Set up', reply: reply([toolUse('AskUserQuestion', { questions: [asked] })]) },
        { when: { toolResult: /SQLite/ }, reply: text('Set up.') },
        { when: 'Count', reply: stall(text('1, 2, 3')) },
        { when: 'Are you back', reply: text('I am back.') },
      ]);
      const { PATH = '' } = process.env;
      const env = {
        PATH,
        HOME: home,
        COXSWAIN_URL: server.origin,
        COXSWAIN_TOKEN: server.token,
        PROJECT: cwd,
      };
      const { stdout } = await run('python3', ['-c', PROGRAM], { env });
      const [here, setUp, stopped, back] = stdout.trim().split('\n');
      expect([here, setUp, back]).toEqual(['One file.', 'Set up.', 'I am back.']);
      expect(stopped).toContain("'interrupted': True");
      expect(existsSync(join(cwd, 'made-by-python'))).toBe(true);
    });

    test('MCP servers are added, used, disabled and removed', async () => {
      await using place = await realPlace(cli);
      const http = new HttpClient(await served(place));
      const { json } = await http.ask('POST /conversations', { body: { cwd: place.folders.cwd } });
      const at = `/conversations/${json.id}`;
      const statusOf = async () => {
        const { servers } = (await http.ask(`GET ${at}/mcp`)).json as {
          servers: { name: string; status: string }[];
        };
        return servers.find(({ name }) => name === 'pid')?.status;
      };
      expect(await statusOf()).toBeUndefined();
      const added = await http.ask(`POST ${at}/mcp`, { body: { servers: { pid: pidServer } } });
      expect(added).toMatchObject({ status: 200, json: { added: ['pid'] } });
      expect(await statusOf()).toBe('connected');
      expect((await http.ask(`GET ${at}/mcp/tools?server=pid`)).json).toMatchObject({
        tools: [{ name: 'whoami' }],
      });
      expect((await http.ask(`POST ${at}/mcp/pid/disable`)).json).toMatchObject({ status: 'disabled' });
      expect(await statusOf()).toBe('disabled');
      expect((await http.ask(`POST ${at}/mcp/pid/enable`)).json).toMatchObject({ status: 'connected' });
      expect((await http.ask(`DELETE ${at}/mcp/pid`)).json).toMatchObject({ removed: ['pid'] });
      expect(await statusOf()).toBeUndefined();
    });

    test('files are rewound, and a control request reaches the CLI as it is', async () => {
      await using place = await realPlace(cli);
      const http = new HttpClient(await served(place));
      const { cwd } = place.folders;
      const file = join(cwd, 'note.txt');
      writeFileSync(file, 'before\n');
      const { json } = await http.ask('POST /conversations', { body: { cwd } });
      const at = `/conversations/${json.id}`;
      expect((await http.ask(`PUT ${at}/mode`, { body: { mode: 'acceptEdits' } })).status).toBe(200);
      place.model.play([
        { when: 'change', reply: toolUse('Read', { file_path: file }) },
        { reply: toolUse('Write', { file_path: file, content: 'after\n' }) },
        { reply: text('changed') },
      ]);
      const sent = await http.ask(`POST ${at}/messages`, { body: { content: 'change' } });
      for await (const _event of http.events(`${at}/events?until=settled`));
      expect(readFileSync(file, 'utf8')).toBe('after\n');
      const message = sent.json.uuid;
      const dry = await http.ask(`POST ${at}/rewind`, { body: { message, dryRun: true } });
      expect(dry).toMatchObject({ status: 200, json: { canRewind: true, filesChanged: [file] } });
      expect(readFileSync(file, 'utf8')).toBe('after\n');
      expect((await http.ask(`POST ${at}/rewind`, { body: { message } })).status).toBe(200);
      expect(readFileSync(file, 'utf8')).toBe('before\n');
      const status = await http.ask(`POST ${at}/control`, { body: { subtype: 'mcp_status' } });
      expect(status).toMatchObject({ status: 200, json: { mcpServers: [] } });
      expect(await http.ask(`POST ${at}/control`, { body: { subtype: 'no_such_request' } })).toMatchObject({
        status: 501,
        json: { code: 'ENDPOINT_UNSUPPORTED' },
      });
    });
  },
  ['2.1.326'],
);
