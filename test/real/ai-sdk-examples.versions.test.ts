import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { nodeFor22, obstacleOf } from '../support/programs-of-others.js';
import { describeRealClis } from './support/each-real-cli.js';

const PROVIDER = 'ai-sdk-provider-claude-code';

/**
 * The complete programs in the README of the other provider that use only its model and print something, with
 * the import changed. Those that use its own functions for tools, errors and injected messages have no counterpart of the
 * same name: the caller's tools go into `tools`, errors are `TurnFailedError`, and messages are sent to sessions.
 */
function programsOfReadme(): readonly string[] {
  const readme = readFileSync(`test/acp/node_modules/${PROVIDER}/README.md`, 'utf8');
  const own = `import { coxswain as claudeCode } from '${pathToFileURL(resolve('dist/ai-sdk.js')).href}';`;
  const programs = [...readme.matchAll(/```(?:ts|typescript)\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code.replace(/^\/\/.*\n/, ''))
    .filter(
      (code) => code.includes(`import { claudeCode } from '${PROVIDER}'`) && code.includes('console.log'),
    )
    .map((code) => code.replace(`import { claudeCode } from '${PROVIDER}';`, own));
  return [...new Set(programs)];
}

describeRealClis('programs written for another provider of the AI SDK', (cli) => {
  test('run on coxswain/ai-sdk by changing the import', async ({ skip, onTestFinished }) => {
    const obstacle = obstacleOf(PROVIDER);
    if (obstacle !== undefined) skip(obstacle);
    const folders = await makeThrowawayFolders();
    onTestFinished(() => folders.remove());
    // Where the packages are that they import.
    const place = mkdtempSync(resolve('test/acp/node_modules/.examples-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const bin = join(folders.home, 'bin');
    mkdirSync(bin);
    symlinkSync(cli.path, join(bin, 'claude'));
    await using model = await scriptModel(replyTo);
    const env = scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } });
    const search = `${bin}${delimiter}${env.PATH}`;
    const printed: string[] = [];
    for (const [at, code] of programsOfReadme().entries()) {
      const path = join(place, `${at}.mjs`);
      writeFileSync(path, code);
      const options = { cwd: folders.cwd, env: { ...env, PATH: search }, timeout: 60_000 };
      const { stdout } = await promisify(execFile)(nodeFor22() ?? '', [path], options);
      printed.push(stdout.trim());
    }
    expect(printed).toEqual(['Hello.', "{ name: 'Ada', age: 36, email: 'ada@example.com' }"]);
  });
});

function replyTo({ userText }: ModelRequest) {
  return userText.includes('user profile')
    ? toolUse('StructuredOutput', { name: 'Ada', age: 36, email: 'ada@example.com' })
    : text('Hello.');
}
