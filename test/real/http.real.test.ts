import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { startConsole } from '../../src/server/console/start-console.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

// The Python program of the how-to, as it stands there, with a real CLI behind the server.
const [, PROGRAM = ''] =
  /^```python\n([\s\S]*?)^```$/m.exec(readFileSync('docs/how-to/any-language.md', 'utf8')) ?? [];
const run = promisify(execFile);

describeRealClis(
  'over HTTP',
  (cli) => {
    test('Python holds a conversation: a permission, a question, a tool call, an interrupt, a resume', async () => {
      await using place = await realPlace(cli);
      const { cwd, home } = place.folders;
      const { cwd: _cwd, ...session } = place.options();
      const server = await startConsole({
        roots: [cwd],
        stateFolder: join(home, 'state'),
        configDir: join(home, '.claude'),
        session,
      });
      onTestFinished(() => server.close());
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
  },
  ['2.1.325'],
);
