import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import { eachRealCli } from './support/each-real-cli.js';
import { blocksOf, RawConversation } from './support/raw-conversation.js';

eachRealCli('a real CLI and its tools see nothing of this machine', async ({ version }) => {
  await using model = await scriptModel([toolUse('Bash', { command: 'env' }), text('done')]);
  await using cli = await realCli({ version, model });
  const { frames } = await new RawConversation(cli).turn('show it');
  const [result] = blocksOf(frames, 'user');
  const seen = Object.fromEntries(String(result?.content).split('\n').map(splitVariable));
  expect(seen).toMatchObject({ HOME: cli.home, PWD: cli.cwd, ANTHROPIC_BASE_URL: model.url });
  // The last one CLIs set themselves, and a process that they started may have it from them.
  const allowed = new Set(['PATH', 'SHLVL', '_', 'SHELL', 'NoDefaultCurrentDirectoryInExePath']);
  const leaked = Object.keys(seen).filter((name) => !allowed.has(name) && seen[name] === process.env[name]);
  expect(leaked).toEqual([]);
  model.assertFinished();
});

eachRealCli(
  'closing a real CLI in the middle of a turn ends it and removes its folders',
  async ({ version }) => {
    await using model = await scriptModel([stall(text('one mom'))]);
    const cli = await realCli({ version, model, ending: { eofMs: 100 } });
    const conversation = new RawConversation(cli);
    await conversation.say('hello');
    // The CLI is still starting, which takes old ones more than ten seconds on a busy machine.
    await model.waitForRequest(({ kind }) => kind === 'main', { timeoutMs: 60_000 });
    expect(isAlive(cli.pid)).toBe(true);
    await cli.close();
    expect(isAlive(cli.pid)).toBe(false);
    expect([cli.home, cli.cwd].some(existsSync)).toBe(false);
  },
);

eachRealCli('the version of a real CLI is known without asking over the wire', async ({ version, path }) => {
  await using model = await scriptModel([]);
  await using cli = await realCli({ version, model });
  cli.start(() => {});
  expect([cli.cli.path, await cli.version]).toEqual([path, version]);
});

function splitVariable(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
