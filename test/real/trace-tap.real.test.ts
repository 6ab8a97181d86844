import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { text } from '../../src/lab/testing/model/replies.js';
import { traceInfo } from '../../src/wire/trace/analysis/trace-info.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

eachRealCli('a tap records a session, whether the CLI is a script or a binary', async (cli) => {
  await using place = await realPlace(cli);
  place.model.play([{ when: 'hello', reply: text('hello to you') }]);
  const [wrapper, trace] = [join(place.folders.tmp, 'claude-tap'), join(place.folders.tmp, 'a.trace')];
  execFileSync(process.execPath, [
    'dist/command.js',
    'tap',
    '-o',
    trace,
    '--wrapper',
    wrapper,
    '--',
    cli.path,
  ]);
  const session = await place.open({ cli: wrapper });
  expect(await session.send('hello').text()).toBe('hello to you');
  await session.close();
  expect(await traceInfo(trace)).toMatchObject({ cliVersion: cli.version, turns: 1, broken: 0, noise: 0 });
});
