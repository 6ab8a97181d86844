import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askModel } from '../../src/lab/testing/emulator/steps/model-steps.js';
import { limitHeaders } from '../../src/lab/testing/model/limit-headers.js';
import { reply, text } from '../../src/lab/testing/model/replies.js';
import { scriptModel } from '../../src/lab/testing/model/script-model.js';

/** How many reports an emulated CLI sends for three replies, and which windows the last one has. */
async function reports(version: string, env: Readonly<Record<string, string>>) {
  const used = (fiveHour: number) => reply(text('ok'), { headers: limitHeaders({ fiveHour, resetsAt }) });
  const resetsAt = new Date(Date.now() + 3_600_000);
  const model = await scriptModel([used(0.5), used(0.6), used(0.95)]);
  onTestFinished(() => model.close());
  const scenario = [onUser(undefined, [askModel({ url: model.url })], { times: 'any' })];
  const session = await openSession({
    transport: (launch) => emulateCli(scenario, { version, launch }).transport,
    envMode: 'replace',
    env: { PATH: '/usr/bin', ...env },
  });
  onTestFinished(async () => void (await session.close()));
  const told: (readonly string[])[] = [];
  session.on('limits', ({ windows }) => told.push(windows.map(({ name }) => name)));
  for (const each of ['one', 'two', 'three']) await session.send(each).outcome;
  return told;
}

const account = { CLAUDE_CODE_OAUTH_TOKEN: 'made-up' };

test('an emulated CLI reports the limits in the headers of the model as real ones do', async () => {
  expect(await reports('2.1.326', account)).toEqual([
    ['five_hour', 'seven_day'],
    ['five_hour', 'seven_day'],
  ]);
  expect(await reports('2.1.206', account)).toEqual([[], ['five_hour']]);
  expect(await reports('2.1.17', account)).toEqual([]);
  expect(await reports('2.1.326', { ANTHROPIC_API_KEY: 'made-up' })).toEqual([]);
});
