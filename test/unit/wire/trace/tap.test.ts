import { expect, test } from 'vitest';
import { startRecording } from '../../../../src/wire/trace/record/recording.js';
import { LineTee } from '../../../../src/wire/trace/tap/tap.js';
import { DEFAULT_MAX_LINE_LENGTH } from '../../../../src/wire/transport/byte-lines.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';

test('a line that is too long leaves a gap in the recording, and a message', () => {
  const texts: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const recording = startRecording(
    { write: (text: string) => void texts.push(text) },
    {},
    { onDiagnostic: (each) => diagnostics.push(each) },
  );
  const tee = new LineTee(
    (lines) => recording.lines('cli', lines),
    (length) => recording.skip(length),
  );
  tee.take(Buffer.alloc(DEFAULT_MAX_LINE_LENGTH + 1, 'x'));
  tee.take(Buffer.from('\n{"a":1}\n'));
  expect(texts.slice(1).map((text) => JSON.parse(text))).toMatchObject([
    { kind: 'gap', lines: 1 },
    { kind: 'line', frame: { a: 1 } },
  ]);
  expect(diagnostics).toMatchObject([{ code: 'RECORDING_GAP' }]);
});

test('a secret that is streamed in pieces is not recorded', () => {
  const texts: string[] = [];
  const recording = startRecording({ write: (text: string) => void texts.push(text) });
  const tee = new LineTee(
    (lines, text) => recording.lines('cli', lines, text),
    (length) => recording.skip(length),
  );
  for (const text of ['Use ghp_01234567', '89abcdefghij now'])
    tee.take(
      Buffer.from(
        `${JSON.stringify({ type: 'stream_event', event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } })}\n`,
      ),
    );
  tee.end();
  void recording.close();
  expect(texts.join('')).toContain('Use <api-key> now');
  expect(texts.join('')).not.toContain('abcdefghij');
});
