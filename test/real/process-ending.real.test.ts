import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CliOptions } from '../../src/host/cli/options/cli-options.js';
import { toolUse } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';
import { realCli } from '../../src/lab/testing/real-cli/real-cli.js';
import { scrubbedEnvironment } from '../../src/lab/testing/real-cli/scrubbed-environment.js';
import { makeThrowawayFolders } from '../../src/lab/testing/real-cli/throwaway-folders.js';
import { encodeObject } from '../../src/wire/protocol/encode.js';
import { readProcFolder } from '../../src/wire/transport/process/process-table.js';
import { fixture, isRunning, stillRunning } from '../integration/process-helpers.js';
import { describeRealClis } from './support/each-real-cli.js';
import { RawConversation } from './support/raw-conversation.js';

/** A tool that prints its process id and keeps running; CLIs from 2.1.326 on refuse a plain `sleep`. */
const lastingTool = toolUse('Bash', { command: 'echo $$ > tool.pid; tail -f /dev/null' });

/** Waits until the tool runs and returns its process id. */
async function toolPid(cwd: string): Promise<number> {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const pid = Number(await readFile(join(cwd, 'tool.pid'), 'utf8').catch(() => ''));
    if (pid > 0) return pid;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the tool did not start');
}

/** A process and all its descendants. */
async function familyOf(pid: number): Promise<number[]> {
  const table = await readProcFolder();
  const children = table.filter(({ parent }) => parent === pid);
  const below = await Promise.all(children.map((child) => familyOf(child.pid)));
  return [pid, ...below.flat()];
}

describeRealClis('ending a CLI that runs a tool', ({ version, path }) => {
  test('with close() during the turn leaves nothing running', async () => {
    await using model = await scriptModel([{ reply: lastingTool, times: 'any' }]);
    const cli = await realCli({ version, model, ending: { eofMs: 500 } });
    await new RawConversation(cli).say('run it');
    const tool = await toolPid(cli.cwd);
    const family = await familyOf(cli.pid);
    expect(family).toContain(tool);
    expect([cli.pid, tool].every(isRunning)).toBe(true);
    await cli.close();
    expect(family.filter(isRunning)).toEqual([]);
  });

  test('its tools carry our mark', async () => {
    await using model = await scriptModel([{ reply: lastingTool, times: 'any' }]);
    await using cli = await realCli({ version, model, ending: { eofMs: 100 } });
    await new RawConversation(cli).say('run it');
    const tool = await toolPid(cli.cwd);
    const marks = new Map((await readProcFolder()).map(({ pid, mark }) => [pid, mark]));
    expect(marks.get(tool)).toMatch(/^[0-9a-f]{32}-\d+$/);
    expect(marks.get(tool)).toBe(marks.get(cli.pid));
  });

  test('with SIGKILL to the CLI itself leaves none of its tools running', async () => {
    await using model = await scriptModel([{ reply: lastingTool, times: 'any' }]);
    await using cli = await realCli({ version, model });
    await new RawConversation(cli).say('run it');
    const tool = await toolPid(cli.cwd);
    process.kill(cli.pid, 'SIGKILL');
    expect(await cli.ended).toMatchObject({ reason: 'exited', signal: 'SIGKILL' });
    expect(await stillRunning([tool])).toEqual([]);
  });

  test.each(['is killed', 'exits', 'throws'])(
    'with a host that %s leaves nothing running after a few seconds',
    async (how) => {
      await using model = await scriptModel([{ reply: lastingTool, times: 'any' }]);
      const folders = await makeThrowawayFolders();
      const options: CliOptions = {
        cwd: folders.cwd,
        envMode: 'replace',
        env: scrubbedEnvironment({ ...folders, modelUrl: model.url, extra: { IS_SANDBOX: '1' } }),
        settingSources: [],
        permissionMode: 'bypassPermissions',
        model: 'sonnet',
      };
      const prompt = encodeObject({ type: 'user', message: { role: 'user', content: 'run it' } });
      const manner = { 'is killed': 'stay', exits: 'exit', throws: 'throw' }[how] ?? 'stay';
      const host = spawn(
        process.execPath,
        [fixture('hosts-a-cli'), path, manner, JSON.stringify(options), JSON.stringify([prompt])],
        { stdio: ['pipe', 'ignore', 'ignore'] },
      );
      const tool = await toolPid(folders.cwd);
      const [, ...family] = await familyOf(host.pid ?? 0);
      expect(family).toContain(tool);
      expect(family.length).toBeGreaterThan(3);
      if (manner === 'stay') host.kill('SIGKILL');
      else host.stdin.write('now\n');
      await once(host, 'exit');
      expect(await stillRunning(family, 30_000)).toEqual([]);
      await folders.remove();
    },
  );
});
