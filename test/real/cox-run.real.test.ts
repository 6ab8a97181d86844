import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { drip, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { ranCox, startCoxProcess, startCoxTerminal, terminalProblem } from '../support/cox-process.js';
import { type ChangingModel, changingModel } from './support/changing-model.js';
import { describeRealClis } from './support/each-real-cli.js';

describeRealClis(
  'the command line',
  ({ path, version }) => {
    let folder = '';
    let model: ChangingModel;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'coxswain-real-'));
      for (const name of ['home', 'work']) mkdirSync(join(folder, name));
      model = await changingModel();
    });
    afterEach(async () => {
      await model[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });

    const env = (extra: Record<string, string | undefined> = {}) =>
      scrubbedEnvironment({ home: join(folder, 'home'), tmp: folder, modelUrl: model.model.url, extra });
    const run = (...args: string[]) => ['run', '--cli', path, '--cwd', join(folder, 'work'), ...args];

    test('prints the answer, runs what is allowed, and continues the same session', async () => {
      const script = model.play([
        toolUse('Bash', { command: 'echo from-the-tool > note.txt; cat note.txt' }),
        { when: { toolResult: 'from-the-tool' }, reply: text('It is noted.') },
      ]);
      const bypass = ['--permission-mode', 'bypassPermissions', '--json'];
      const first = await ranCox(run(...bypass, 'Make a note'), { env: env({ IS_SANDBOX: '1' }) });
      script.assertFinished();
      const outcome: { sessionId: string } = JSON.parse(first.out.trimEnd().split('\n').at(-1) ?? '');
      expect(outcome).toMatchObject({
        outcome: 'success',
        exitCode: 0,
        text: 'It is noted.',
        cliVersion: version,
      });
      expect(readFileSync(join(folder, 'work', 'note.txt'), 'utf8')).toBe('from-the-tool\n');
      model.play([text('It was a note.')]);
      const second = await ranCox(run('--resume', outcome.sessionId, 'What was it?'), { env: env() });
      expect(second).toMatchObject({ exitCode: 0, out: 'It was a note.\n' });
      const said = model.model.requests.filter(({ kind }) => kind === 'main').at(-1);
      expect(JSON.stringify(said?.messages)).toContain('Make a note');
    });

    test('denies without a terminal, and says so', async () => {
      model.play([toolUse('Bash', { command: 'mkdir denied' }), text('As you wish.')]);
      const { exitCode, out, err } = await ranCox(run('Make a folder'), { env: env() });
      expect([exitCode, out]).toEqual([5, 'As you wish.\n']);
      expect(err).toContain('Denied Bash: mkdir denied: there is no terminal');
    });

    test('asks in the terminal', async ({ skip }) => {
      const problem = terminalProblem();
      if (problem !== undefined) skip(problem);
      model.play([toolUse('Bash', { command: 'mkdir made' }), text('It is made.')]);
      const cox = startCoxTerminal(run('Make a folder'), { env: env() });
      await cox.until('your choice (a/');
      cox.type('a\n');
      expect(await cox.exited).toBe(0);
      expect(cox.out).toContain('It is made.');
    });

    test('interrupts on Ctrl-C', async () => {
      model.play([drip(text('one two three '.repeat(200)), { chunkLength: 4, delayMs: 50 })]);
      const cox = startCoxProcess(run('Count'), { env: env() });
      await cox.until('one two');
      cox.kill('SIGINT');
      expect(await cox.exited).toBe(130);
      expect(cox.err).toContain('The turn was stopped (SIGINT).');
    });

    test('explains a refused key on stderr', async () => {
      model.play([{ error: 401 }, { error: 401 }, { error: 401 }]);
      const { exitCode, out, err } = await ranCox(run('Hello'), {
        env: env({ CLAUDE_CODE_MAX_RETRIES: '0' }),
      });
      expect([exitCode, out]).toEqual([9, '']);
      expect(err).toContain('The API did not accept the credentials.');
    });

    test('finds no problem with a working CLI, without calling the model', async () => {
      const { exitCode, out } = await ranCox(['doctor', '--cli', path, '--cwd', folder], { env: env() });
      expect(out).toContain(`version ${version}`);
      expect(out).toContain('apiKeySource ANTHROPIC_API_KEY');
      expect(exitCode).toBe(0);
      expect(model.model.requests).toEqual([]);
    });

    test('finds missing credentials and a broken MCP server', async () => {
      const settings = { mcpServers: { broken: { command: 'false', args: [] } } };
      writeFileSync(join(folder, 'home', '.claude.json'), JSON.stringify(settings));
      const noKey = env({ ANTHROPIC_API_KEY: undefined });
      const { exitCode, out } = await ranCox(['doctor', '--cli', path, '--cwd', folder], { env: noKey });
      expect(out).toContain('The CLI reports neither a login nor an API key');
      expect(out).toContain('The MCP server broken failed');
      expect(exitCode).toBe(10);
    });
  },
  ['2.0.73', '2.1.326'],
);
