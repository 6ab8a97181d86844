import { expect, test } from 'vitest';
import type { LogEvent } from '../../../../src/entry/remote/contract.js';
import { SentMessage } from '../../../../src/entry/remote/sent-message.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

const line = (from: 'host' | 'cli', frame: WireObject): LogEvent => ({ kind: 'line', t: 0, from, frame });
const given = (uuid: string) => line('host', { type: 'user', uuid });
const said = (uuid: string) => line('cli', { type: 'assistant', uuid });
const result = (uuid: string, text: string, messages: readonly string[] = []) =>
  line('cli', { type: 'result', subtype: 'success', uuid, result: text, user_message_uuids: messages });
const ended: LogEvent = { kind: 'end', t: 0, end: { reason: 'failed', error: 'The CLI crashed.' } };

/** The ids of its messages, and its outcomes. */
function followed(uuid: string, events: readonly LogEvent[]) {
  const message = new SentMessage(uuid);
  const heard = events.map((event) => message.messageIn(event)?.uuid);
  const outcomes = events.map((event) => message.outcomeIn(event));
  return {
    heard: heard.filter((each) => each !== undefined),
    outcomes: outcomes.filter((each) => each !== undefined),
  };
}

test('a message that is sent again is over when the log says so, and has the messages of its second turn', () => {
  const { heard, outcomes } = followed('mine', [
    given('mine'),
    ended,
    said('of another'),
    { kind: 'handed', uuid: 'mine', as: 'again' },
    given('again'),
    said('answer'),
    result('the result', 'Done.', ['again']),
    said('of the next'),
    { kind: 'settled', uuid: 'other', outcome: { kind: 'success' } },
    { kind: 'settled', uuid: 'mine', outcome: { kind: 'success', result: 'the result' } },
  ]);
  expect(heard).toEqual(['answer', 'the result']);
  expect(outcomes).toMatchObject([{ kind: 'success', text: 'Done.' }]);
});

test('the end of a CLI is an outcome if the log says so', () => {
  const { outcomes } = followed('mine', [
    given('mine'),
    said('half an answer'),
    ended,
    { kind: 'settled', uuid: 'mine', outcome: { kind: 'cli-ended', error: 'The CLI crashed.' } },
  ]);
  expect(outcomes).toMatchObject([{ kind: 'cli-ended', error: { message: 'The CLI crashed.' } }]);
});

test('a message that waits behind a turn has none of its messages', () => {
  const lifecycle = (state: string) =>
    line('cli', { type: 'command_lifecycle', command_uuid: 'mine', state });
  const { heard } = followed('mine', [
    given('mine'),
    lifecycle('queued'),
    said('of the turn before'),
    result('its result', 'First.'),
    lifecycle('started'),
    said('answer'),
  ]);
  expect(heard).toEqual(['answer']);
});
