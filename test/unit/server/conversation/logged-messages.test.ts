import { describe, expect, test } from 'vitest';
import { LoggedMessages } from '../../../../src/server/conversation/logged-messages.js';
import { fateOf } from '../../../../src/server/conversation/message-fate.js';
import { messageIn } from '../../../../src/server/manager/conversations/queued-message.js';

const by = { client: 'c', name: 'test' };

/** What a log of these events says. */
function logged(events: readonly object[], transcript?: ConstructorParameters<typeof LoggedMessages>[0]) {
  const messages = new LoggedMessages(transcript);
  for (const [index, event] of events.entries())
    messages.note({ n: index + 1, at: 0, rest: JSON.stringify(event).slice(1) });
  return messages;
}

const queued = (uuid: string) => ({ kind: 'queued', uuid, content: uuid, by });
const handed = (uuid: string, more: object = {}) => ({ kind: 'handed', uuid, ...more });
const given = (uuid: string) => ({ kind: 'line', t: 1, from: 'host', frame: { type: 'user', uuid } });
const said = (frame: object) => ({ kind: 'line', t: 1, from: 'cli', frame });
const lifecycle = (uuid: string, state: string) =>
  said({ type: 'command_lifecycle', command_uuid: uuid, state });

describe('a message whose owner is gone', () => {
  const unclear = {
    handed: true,
    started: false,
    inTranscript: undefined,
    resend: true,
    isCut: false,
  } as const;

  test('is sent if no CLI was about to get it, whatever else is known', () => {
    expect(fateOf({ ...unclear, handed: false })).toBe('send');
    expect(fateOf({ ...unclear, handed: false, resend: false })).toBe('send');
  });

  test('ran if its CLI said so, or wrote it down', () => {
    expect(fateOf({ ...unclear, started: true })).toBe('ran');
    expect(fateOf({ ...unclear, inTranscript: true, resend: false })).toBe('ran');
  });

  test('is sent again if the whole transcript lacks it, unless its sender does not want that', () => {
    expect(fateOf({ ...unclear, inTranscript: false })).toBe('again');
    expect(fateOf({ ...unclear, inTranscript: false, resend: false })).toBe('dropped');
  });

  test('is not sent if the end of its log is lost, unless the whole transcript lacks it', () => {
    const cut = { ...unclear, handed: false, isCut: true };
    expect(fateOf(cut)).toBe('unknown');
    expect(fateOf({ ...cut, inTranscript: true })).toBe('ran');
    expect(fateOf({ ...cut, inTranscript: false })).toBe('send');
  });

  test('has an unknown fate if nothing tells', () => {
    expect(fateOf(unclear)).toBe('unknown');
  });
});

describe('a log', () => {
  const whole = { ids: new Set(['first']), isWhole: true };

  test('tells those that joined a running turn from the one that runs', () => {
    const events = [
      { kind: 'header' },
      ...[queued('first'), handed('first'), given('first'), lifecycle('first', 'started')],
      ...[queued('joined'), handed('joined'), given('joined'), lifecycle('joined', 'queued')],
      // What the running turn says is not about the one that waits.
      said({ type: 'assistant', message: {} }),
      queued('last'),
    ];
    const messages = logged(events, whole);
    expect(messages.fateOf('first')).toBe('ran');
    expect(messages.fateOf('joined')).toBe('again');
    expect(messages.unsent.map(({ uuid }) => uuid)).toEqual(['joined', 'last']);
    expect(logged(events).fateOf('joined')).toBe('unknown');
    expect(logged(events).unsent.map(({ uuid }) => uuid)).toEqual(['last']);
  });

  test('takes what a CLI says for a start if that CLI does not report on messages', () => {
    const events = [{ kind: 'header' }, queued('a'), handed('a'), given('a')];
    const starts = [
      said({ type: 'system', subtype: 'init' }),
      said({ session_id: 's', type: 'assistant', message: {} }),
      said({ type: 'result', user_message_uuids: ['a'] }),
    ];
    // Such a CLI writes messages down late: its transcript does not tell.
    expect(logged(events, whole).fateOf('a')).toBe('unknown');
    for (const start of starts) expect(logged([...events, start], whole).fateOf('a')).toBe('ran');
    const hook = said({ type: 'system', subtype: 'hook_started' });
    expect(logged([...events, hook], whole).fateOf('a')).toBe('unknown');
  });

  test('counts the last time that a message was given to a CLI, under the id that it had then', () => {
    const events = [
      ...[queued('a'), handed('a'), given('a'), lifecycle('a', 'started')],
      ...[{ kind: 'header' }, handed('a', { as: 'b' }), given('b'), lifecycle('b', 'queued')],
    ];
    expect(logged(events, whole).fateOf('a')).toBe('again');
    expect(logged([...events, lifecycle('b', 'started')], whole).fateOf('a')).toBe('ran');
    expect(logged(events, { ids: new Set(['b']), isWhole: false }).fateOf('a')).toBe('ran');
  });

  test('of a version that did not record it: what a CLI was given counts', () => {
    const events = [queued('a'), given('a'), lifecycle('a', 'queued')];
    expect(logged(events, whole).fateOf('a')).toBe('again');
    expect(logged(events).fateOf('a')).toBe('unknown');
  });

  test('starts again with a message that an owner accepted again', () => {
    const events = [queued('a'), handed('a'), given('a'), lifecycle('a', 'queued'), queued('a')];
    expect(logged(events).fateOf('a')).toBe('send');
    expect(logged([...events, queued('a'), handed('a')]).fateOf('a')).toBe('unknown');
  });

  test('says how to send a message again', () => {
    const message = { type: 'user', message: { role: 'user', content: 'x' }, extra: 1 };
    const how = { priority: 'now', parentUuid: null, resend: false, onLimit: 'fail' };
    const [whole, plain] = logged([{ ...queued('a'), ...how, message }, queued('b')]).unsent;
    expect(whole && messageIn(whole)).toEqual({
      input: message,
      options: { uuid: 'a', whileBusy: 'enqueue', ...how },
    });
    expect(plain && messageIn(plain)).toMatchObject({ input: 'b', options: { uuid: 'b' } });
  });

  test('keeps what the sender wants', () => {
    expect(logged([queued('a'), handed('a', { resend: false })], whole).fateOf('a')).toBe('dropped');
  });
});
