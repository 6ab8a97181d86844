import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { flood } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { BareClient, isCliMessage, startEmulatedConsole } from '../support/console.js';

test('Searching for patterns is searching for text, and costs no time', async () => {
  const { server } = await startEmulatedConsole([]);
  const client = await BareClient.connect(server);
  for (const text of [
    '(a+)+$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '\\',
    '[',
    'x '.repeat(100_000),
    '\u0000 \u2028',
  ])
    expect(await client.ask('history.search', { text })).toMatchObject({ found: [] });
  for (const after of ['', ' ', 'NaN x', '9'.repeat(400), '-1 ../..'])
    expect((await client.command('history.search', { text: 'x', after })).type).toBe('done');
});

test('Fifty sessions stream at once, and two browsers see every event of each, in order', async () => {
  const { server, root } = await startEmulatedConsole(() => [onUser([flood(100, 500), say('Done.')])]);
  const browsers = [await BareClient.connect(server), await BareClient.connect(server)] as const;
  const opened = await Promise.all(Array.from({ length: 50 }, () => browsers[0].ask('open', { cwd: root })));
  const ids = opened.map(({ session }) => session);
  for (const browser of browsers) for (const id of ids) browser.attach(id);
  await Promise.all(
    ids.map((session, at) => browsers[at % 2 === 0 ? 0 : 1].ask('send', { content: 'go' }, { session })),
  );
  // Somebody else gets an answer meanwhile.
  expect(await (await BareClient.connect(server)).ask('folders', {})).toMatchObject({ folders: [{}] });
  for (const browser of browsers)
    for (const id of ids)
      await browser.ever((message) => message.session === id && isCliMessage('result')(eventIn(message)));
  for (const browser of browsers)
    for (const id of ids) {
      const events = browser.messages.filter(({ type, session }) => type === 'event' && session === id);
      const numbers = events.map(({ n }) => n);
      expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    }
});

test('Two browsers that rename, close and reopen the same session at once leave it in one state', async () => {
  const { server, root } = await startEmulatedConsole(() => [onUser([say('Done.')])]);
  const [one, other] = [await BareClient.connect(server), await BareClient.connect(server)];
  const { session } = await one.ask('open', { cwd: root });
  for (const round of [1, 2, 3]) {
    const to = { session };
    await Promise.all([
      one.ask('rename', { title: `one ${round}` }, to),
      other.ask('rename', { title: `other ${round}` }, to),
      one.command('close', {}, to),
      other.command('close', {}, to),
    ]);
    const reopened = await Promise.all([one.command('reopen', {}, to), other.command('reopen', {}, to)]);
    expect(reopened.some(({ ok }) => ok)).toBe(true);
    expect(await other.command('send', { content: 'go' }, to)).toMatchObject({ ok: true });
  }
  const third = await BareClient.connect(server);
  const { sessions } = third.messages.find(({ type }) => type === 'sessions') as never as {
    sessions: object[];
  };
  expect(sessions).toHaveLength(1);
});

function eventIn(message: object): never {
  return ('event' in message ? message.event : {}) as never;
}
