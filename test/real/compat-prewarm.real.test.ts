import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { prewarm } from '../../src/entry/compat/index.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

eachRealCli(
  'a CLI that was started before its folder was known works there',
  async (cli) => {
    await using place = await realPlace(cli);
    const { env } = place.options();
    const folder = join(place.folders.tmp, 'claimed');
    mkdirSync(folder);
    place.model.play([
      { when: 'where are you', reply: toolUse('Bash', { command: 'pwd' }) },
      { when: { toolResult: /claimed/ }, reply: text('Here.') },
    ]);
    const spare = await prewarm({
      options: {
        pathToClaudeCodeExecutable: cli.path,
        env: { ...env },
        settingSources: [],
        model: 'sonnet',
        allowedTools: ['Bash'],
      },
    });
    const query = spare.claim({ prompt: 'where are you', options: { cwd: folder } });
    const seen: Record<string, unknown>[] = [];
    for await (const message of query) seen.push({ ...message });
    expect(await spare.claimed).toMatchObject({ parkedMs: expect.any(Number) });
    expect(seen.find(({ subtype }) => subtype === 'init')).toMatchObject({ cwd: realpathSync(folder) });
    expect(seen.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result: 'Here.' });
    await spare.exited;
  },
  ['2.1.326'],
);

eachRealCli(
  'a CLI that cannot be started in advance says so',
  async (cli) => {
    await using place = await realPlace(cli);
    const { env } = place.options();
    const spare = prewarm({
      options: { pathToClaudeCodeExecutable: cli.path, env: { ...env }, settingSources: [] },
    });
    await expect(spare).rejects.toThrow(/await-claim/);
  },
  ['2.0.73', '2.1.17'],
);
