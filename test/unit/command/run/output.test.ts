import { describe, expect, test } from 'vitest';
import { JsonOutput, type Output, TextOutput } from '../../../../src/command/run/output.js';
import type { Report } from '../../../../src/command/run/report.js';
import { NO_USAGE } from '../../../../src/host/session/turns/usage.js';
import { assistantApiError, assistantText } from '../../../../src/lab/testing/builders/assistant.js';
import { streamEvent } from '../../../../src/lab/testing/builders/stream.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';
import { MessageFold } from '../../../../src/wire/protocol/reading/message-fold.js';
import { recordedScreen } from '../../../support/recorded-screen.js';

const report = (fields: Partial<Report> = {}): Report => ({
  outcome: { kind: 'success', text: 'the end' },
  error: undefined,
  exitCode: 0,
  stoppedBy: undefined,
  sessionId: 's1',
  cliVersion: '2.1.326',
  durationMs: 12,
  usage: NO_USAGE,
  prompts: { allowed: 0, denied: 0, unanswered: 0 },
  ...fields,
});

const delta = (text: string) =>
  streamEvent({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });

function show(output: Output, ...messages: readonly WireObject[]): void {
  const fold = new MessageFold();
  for (const message of messages) output.message(message, fold.take(message));
}

describe('text', () => {
  test('is written as it arrives, and every block ends with a newline', () => {
    const { screen, written } = recordedScreen();
    const output = new TextOutput(screen, false);
    show(output, delta('one '), delta('two'), assistantText('one two'), assistantText('three\n'));
    output.end(report());
    expect(written.out).toBe('one two\nthree\n');
  });

  test('of subagents is not part of the answer', () => {
    const { screen, written } = recordedScreen();
    const output = new TextOutput(screen, false);
    show(output, { ...assistantText('inner'), parent_tool_use_id: 't1' }, assistantText('outer'));
    expect(written.out).toBe('outer\n');
  });

  test('that was in no message is written at the end', () => {
    const { screen, written } = recordedScreen();
    new TextOutput(screen, false).end(report());
    expect(written.out).toBe('the end\n');
  });

  test('about a failed API call is not the answer', () => {
    const { screen, written } = recordedScreen();
    const output = new TextOutput(screen, false);
    show(output, assistantApiError('API Error: 500', 'server_error'));
    output.end(report({ outcome: { kind: 'error', message: 'API Error: 500' } }));
    expect(written.out).toBe('');
  });

  test('cannot control a terminal, but reaches a pipe unchanged', () => {
    for (const isTty of [true, false]) {
      const { screen, written } = recordedScreen();
      show(new TextOutput(screen, isTty), assistantText('\u001b[2Jhi'));
      expect(written.out).toBe(isTty ? '\\x1b[2Jhi\n' : '\u001b[2Jhi\n');
    }
  });
});

describe('JSON', () => {
  const lastLine = (fields: Partial<Report>): unknown => {
    const { screen, written } = recordedScreen();
    new JsonOutput(screen).end(report(fields));
    return JSON.parse(written.out);
  };

  test('has each message on a line, unchanged', () => {
    const { screen, written } = recordedScreen();
    show(new JsonOutput(screen), { type: 'from the future', key: [1, { a: 'ü\n' }] });
    expect(written.out).toBe('{"type":"from the future","key":[1,{"a":"ü\\n"}]}\n');
  });

  test('ends with the outcome of a success', () => {
    expect(lastLine({ outcome: { kind: 'success', text: 'hi', output: { a: 1 } } })).toMatchObject({
      schema: 1,
      type: 'coxswain_outcome',
      outcome: 'success',
      text: 'hi',
      output: { a: 1 },
      sessionId: 's1',
    });
  });

  test('ends with the reason of a failure', () => {
    expect(lastLine({ outcome: { kind: 'auth', message: 'no key', reason: 'x' } })).toMatchObject({
      outcome: 'auth',
      error: { message: 'no key' },
    });
    const error = Object.assign(new Error('it died'), { code: 'CLI_ENDED' });
    expect(lastLine({ outcome: { kind: 'cli-ended', error } })).toMatchObject({
      outcome: 'cli-ended',
      error: { message: 'it died', code: 'CLI_ENDED' },
    });
    expect(lastLine({ outcome: undefined, error: new Error('no CLI') })).toMatchObject({
      outcome: 'not-opened',
      error: { message: 'no CLI' },
    });
  });
});
