import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { limitHeaders } from '../../src/lab/testing/model/limit-headers.js';
import { apiError, reply, text } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { openManager } from '../../src/server/manager/open-manager.js';
import { storeFolder } from '../support/manager.js';
import { ManualClock } from '../support/manual-clock.js';
import { type RealPlace, realPlace } from './support/real-session.js';

const MINUTE_S = 60;

/** What the API sends when an account's limit is spent. */
function spent(resetsAt: number) {
  const prefix = 'anthropic-ratelimit-unified';
  return apiError(429, {
    message: "This request would exceed your account's rate limit.",
    headers: {
      [`${prefix}-status`]: 'rejected',
      [`${prefix}-reset`]: String(resetsAt),
      [`${prefix}-representative-claim`]: 'five_hour',
      [`${prefix}-5h-status`]: 'rejected',
      [`${prefix}-5h-reset`]: String(resetsAt),
      [`${prefix}-5h-utilization`]: '1.0',
    },
  });
}

/** Options with an account, as after a login, or with an API key. */
function optionsFor(place: RealPlace, login: 'account' | 'key') {
  const { env = {}, ...options } = place.options();
  const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...rest } = env;
  const account = { ...rest, CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-real-one' };
  return { ...options, env: { ...(login === 'key' ? env : account), CLAUDE_CODE_MAX_RETRIES: '0' } };
}

/** By how much the reported end is later than the real one; undefined if none is reported. */
async function secondsLate(options: SessionOptions, resetsAt: number): Promise<number | undefined> {
  await using session = await openSession(options);
  const outcome = await session.send('hello').outcome;
  if (outcome.kind !== 'rate-limited') throw new Error(`it ended as ${outcome.kind}`);
  return outcome.endsAt && outcome.endsAt.getTime() / 1000 - resetsAt;
}

/** How each version reports the end: on the wire to the second, in text to the minute, or not at all. */
const told = [
  ['2.0.73', 'account', 'text'],
  ['2.1.17', 'account', 'text'],
  ['2.1.112', 'account', 'wire'],
  ['2.1.206', 'account', 'wire'],
  ['2.1.326', 'account', 'wire'],
  ['2.0.73', 'key', 'nothing'],
  ['2.1.17', 'key', 'nothing'],
  ['2.1.112', 'key', 'nothing'],
  ['2.1.326', 'key', 'nothing'],
] as const;

const installed = knownRealClis();

describe('a usage limit', () => {
  for (const [version, login, how] of told) {
    test(`of an API ${login}: ${version} reports its end by ${how}`, async ({ skip }) => {
      const cli = installed.find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await using place = await realPlace(cli);
      const resetsAt = Math.floor(Date.now() / 1000) + 90 * MINUTE_S;
      place.model.play([{ when: /.*/, reply: spent(resetsAt), times: 'any' }]);
      const late = await secondsLate(optionsFor(place, login), resetsAt);
      if (how === 'nothing') expect(late).toBeUndefined();
      else if (how === 'wire') expect(late).toBe(0);
      else expect(late).toSatisfy((seconds: number) => seconds > 0 && seconds <= MINUTE_S);
    });
  }

  for (const version of ['2.0.73', '2.1.326']) {
    test(`is waited for without a CLI, and the message continues [${version}]`, async ({ skip }) => {
      const cli = installed.find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await using place = await realPlace(cli);
      place.model.play([
        { when: /.*/, reply: spent(Math.floor(Date.now() / 1000) + 60 * MINUTE_S), times: 'any' },
      ]);
      const store = storeFolder();
      let late = 0;
      await using manager = await openManager(
        { store, limitSpreadMs: 0, defaults: optionsFor(place, 'account') },
        { now: () => Date.now() + late },
      );
      const talk = manager.conversation('one');
      const turn = talk.send('hello');
      await place.until(() => talk.state === 'limited');
      expect(talk.pid).toBeUndefined();
      await manager.close();
      expect((await turn.outcome).kind).toBe('closed');
      late = 62 * MINUTE_S * 1_000;
      place.model.play([{ when: 'hello', reply: text('again'), times: 'any' }]);
      await using next = await openManager(
        { store, limitSpreadMs: 0, defaults: optionsFor(place, 'account') },
        { now: () => Date.now() + late },
      );
      const settled = await new Promise((resolve) => next.on('turn', ({ outcome }) => resolve(outcome)));
      expect(settled).toMatchObject({ kind: 'success', text: 'again' });
    });
  }
});

/** What each version reports about the windows: nothing, the one that is nearly full, or all of them. */
const reported = [
  ['2.0.73', 'account', undefined, undefined],
  ['2.1.17', 'account', undefined, undefined],
  ['2.1.112', 'account', [], ['five_hour']],
  ['2.1.206', 'account', [], ['five_hour']],
  ['2.1.326', 'account', ['five_hour', 'seven_day'], ['five_hour', 'seven_day']],
  ['2.1.326', 'key', undefined, undefined],
] as const;

describe('the usage windows', () => {
  for (const [version, login, calm, close] of reported) {
    test(`of an API ${login}: what ${version} reports of them`, async ({ skip }) => {
      const cli = installed.find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await using place = await realPlace(cli);
      const used = (fiveHour: number) => reply(text('ok'), { headers: limitHeaders({ fiveHour }) });
      place.model.play([used(0.5), used(0.95)]);
      await using session = await openSession(optionsFor(place, login));
      const names = () => session.planLimits?.windows.map(({ name }) => name);
      await session.send('one').outcome;
      expect(names()).toEqual(calm);
      await session.send('two').outcome;
      expect(names()).toEqual(close);
      if (close !== undefined) expect(session.planLimits?.windows[0]?.utilization).toBe(0.95);
    });
  }

  for (const version of ['2.1.112', '2.1.326']) {
    test(`let new work wait until they reset [${version}]`, async ({ skip }) => {
      const cli = installed.find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await using place = await realPlace(cli);
      const resetsAt = new Date((Math.floor(Date.now() / 1000) + 60 * MINUTE_S) * 1000);
      place.model.play([
        reply(text('first'), { headers: limitHeaders({ fiveHour: 0.95, resetsAt }) }),
        { when: 'later', reply: text('second') },
      ]);
      const clock = new ManualClock();
      await using manager = await openManager(
        { store: storeFolder(), holdAbove: 0.9, defaults: optionsFor(place, 'account') },
        { clock, now: () => Date.now() + clock.now() },
      );
      await manager.conversation('one').send('now').outcome;
      const talk = manager.conversation('two');
      const turn = talk.send('later');
      await place.until(() => talk.state === 'limited');
      expect([talk.facts.limitUntil, talk.pid]).toEqual([resetsAt, undefined]);
      clock.advance(61 * MINUTE_S * 1000);
      expect(await turn.text()).toBe('second');
    });
  }
});
