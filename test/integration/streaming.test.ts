import { describe, expect, test } from 'vitest';
import { ask } from '../../src/entry/sdk/on-demand.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { AskedLaunch } from '../../src/host/cli/options/asked-launch.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { deferred } from '../../src/wire/util/deferred.js';

const TEXT = 'one two three four five six seven eight';

/** A session on a CLI that sends pieces, as it does unless it is told not to. */
async function open(options: SessionOptions = {}, steps: readonly Step[] = [say(TEXT)]) {
  const cli = emulateCli([onUser(steps)], { partialMessages: true });
  return openSession({ transport: cli.transport, ...options });
}

async function kindsIn(messages: AsyncIterable<{ readonly type?: unknown }>): Promise<Set<unknown>> {
  const kinds = new Set<unknown>();
  for await (const { type } of messages) kinds.add(type);
  return kinds;
}

describe('partial messages', () => {
  test('arrive as text deltas without any option', async () => {
    await using session = await open();
    const pieces: string[] = [];
    for await (const { text } of session.send('go').textDeltas()) pieces.push(text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(TEXT);
  });

  test('are not among the messages of a turn, of the session or of onMessage', async () => {
    const heard = new Set<unknown>();
    await using session = await open({ onMessage: ({ type }) => heard.add(type) });
    const all = kindsIn(session.messages());
    expect(await kindsIn(session.send('go'))).not.toContain('stream_event');
    await session.close();
    expect(await all).not.toContain('stream_event');
    expect(heard).toContain('assistant');
    expect(heard).not.toContain('stream_event');
  });

  test('are everywhere in a session opened with partialMessages', async () => {
    const heard = new Set<unknown>();
    await using session = await open({ partialMessages: true, onMessage: ({ type }) => heard.add(type) });
    const all = kindsIn(session.messages());
    const whole = kindsIn(session.messages({ partial: false }));
    expect(await kindsIn(session.send('go'))).toContain('stream_event');
    await session.close();
    expect(await all).toContain('stream_event');
    expect(await whole).not.toContain('stream_event');
    expect(heard).toContain('stream_event');
  });

  test('reach a reader of all messages who requests them', async () => {
    await using session = await open();
    const all = kindsIn(session.messages({ partial: true }));
    await session.send('go').outcome;
    await session.close();
    expect(await all).toContain('stream_event');
  });

  test('use no memory in a turn that nobody streams', async () => {
    await using session = await open({ buffer: { messages: 4 } }, [say(TEXT.repeat(20), { chunk: 2 })]);
    const turn = session.send('go');
    await turn.outcome;
    expect(turn.dropped).toBe(0);
    expect(await kindsIn(turn)).toContain('result');
  });

  test('that arrive before the text is requested are replaced by the whole block', async () => {
    const asked = deferred<void>();
    const begun = deferred<void>();
    const steps = [say('first'), act(() => begun.resolve()), act(() => asked.promise), say(TEXT)];
    await using session = await open({}, steps);
    const turn = session.send('go');
    await begun.promise;
    const deltas = turn.textDeltas();
    asked.resolve();
    const pieces: string[] = [];
    for await (const { text } of deltas) pieces.push(text);
    expect(pieces[0]).toBe('first');
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(`first${TEXT}`);
  });

  test('that the session does not get are reported', async () => {
    const codes: string[] = [];
    await using session = await open({
      partialMessages: false,
      onDiagnostic: ({ code }) => codes.push(code),
    });
    for await (const _delta of session.send('go').textDeltas());
    expect(codes).toEqual(['NO_PARTIAL_MESSAGES']);
  });

  test('are requested on the command line, unless turned off or only an answer is needed', async () => {
    const asked: (readonly string[])[] = [];
    const transport = (launch: AskedLaunch) => {
      asked.push(launch.arguments);
      return emulateCli([onUser([say(TEXT)])], { launch }).transport;
    };
    await (await openSession({ transport })).close();
    await (await openSession({ transport, partialMessages: false })).close();
    expect(await ask('go', { transport })).toBe(TEXT);
    expect(asked.map((flags) => flags.includes('--include-partial-messages'))).toEqual([true, false, false]);
  });
});
