import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Recording, startRecording } from '../../../../src/wire/trace/record/recording.js';
import { makeRedactor, type RedactOptions } from '../../../../src/wire/trace/redact/redactor.js';

const OPTIONS: RedactOptions = {
  env: {},
  home: '/nowhere/home',
  tmp: '/nowhere/tmp',
  user: 'nobody-here',
  secrets: ['Tr0ub4dor&3-literal', 'correct horse battery staple'],
  rules: [{ find: 'Project Blue Heron' }],
};
const clean = makeRedactor(OPTIONS);

/** Texts with a secret, and the part of it that must not stay. */
const SECRETS = [
  ['sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx', 'AbCdEfGhIjKlMnOpQrStUvWx'],
  ['ghp_0123456789abcdefghijABCDEFGHIJ', '0123456789abcdefghij'],
  ['AKIAIOSFODNN7EXAMPLE', 'IOSFODNN7EXAMPLE'],
  ['Authorization: Bearer abc.def-0123456789', 'abc.def-0123456789'],
  ['password: hunter2hunter2hunter2', 'hunter2hunter2'],
  ['https://jane:pa55w0rdpa55@host.example', 'pa55w0rdpa55'],
  ['jane.doe@mail.example.com', 'jane.doe@'],
  ['Tr0ub4dor&3-literal', 'Tr0ub4dor&3'],
  ['correct horse battery staple', 'correct'],
  ['Project Blue Heron', 'Project'],
  [
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASCBKcwggSj\n-----END PRIVATE KEY-----',
    'MIIEvQIBADANBgkqhkiG9w0BAQ',
  ],
] as const;

const KEY_BODY = Array.from(
  { length: 50 },
  (_, line) => `MIIE${'vQIBADANBgkqhkiG9w0BAQ'.repeat(2)}${line}`,
).join('\n');
const LONG_SECRETS = [
  ...SECRETS,
  [`-----BEGIN RSA PRIVATE KEY-----\n${KEY_BODY}\n-----END RSA PRIVATE KEY-----`, 'vQIBADAN'],
] as const;

/** Lines without a secret but with a word that announces one, so that the text is held back. */
const filler = (length: number) =>
  Array.from({ length: Math.ceil(length / 15) }, (_, line) => `a monkey reads ${line}\n`)
    .join('')
    .slice(0, length);

/** Cuts a text into pieces of these sizes, again and again. */
function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1)
    pieces.push(text.slice(at, at + (sizes[pieces.length % sizes.length] ?? 1)));
  return pieces;
}

const delta = (text: string, index = 0, parent: string | null = null) =>
  JSON.stringify({
    type: 'stream_event',
    event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
    parent_tool_use_id: parent,
  });
const STOP =
  '{"type":"stream_event","event":{"type":"content_block_stop","index":0},"parent_tool_use_id":null}';

/** The entries that can come between two lines. */
const ENTRIES = [
  ['eof', (recording: Recording) => recording.eof('host')],
  ['signal', (recording: Recording) => recording.signal('SIGINT')],
  ['gap', (recording: Recording) => recording.skip(70_000_000)],
  ['facts', (recording: Recording) => recording.facts({ cliVersion: '2.1.0' })],
] as const;

function recordingTo(written: string[]): Recording {
  return startRecording({ to: { write: (text: string) => void written.push(text) }, redact: OPTIONS });
}

const entriesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const framesIn = (written: readonly string[]): string[] =>
  written.flatMap(entriesIn).flatMap(({ frame }) => (frame === undefined ? [] : [JSON.stringify(frame)]));

/** What is recorded when these lines arrive one by one. */
function recorded(lines: readonly string[], end = true): string[] {
  const written: string[] = [];
  const recording = recordingTo(written);
  for (const line of lines) recording.lines('cli', [line]);
  if (end) void recording.close();
  return framesIn(written);
}

const textsOf = (lines: readonly string[]) =>
  lines.map((line) => JSON.parse(line).event?.delta?.text ?? '').join('');

describe('text that is streamed in pieces', () => {
  test('is recorded if one piece is many megabytes long', () => {
    const lines = recorded([delta('a1'.repeat(8_000_000)), STOP, '{"type":"next"}']);
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['stream_event', 'stream_event', 'next']);
  });

  test('has no secret in the recording, wherever it is cut', () => {
    const words = fc.string({ maxLength: 12 });
    const cuts = fc.array(fc.nat(200), { maxLength: 60 });
    fc.assert(
      fc.property(
        fc.constantFrom(...SECRETS),
        words,
        words,
        cuts,
        ([secret, kept], before, after, places) => {
          const whole = `${before} ${secret} ${after}`;
          const ends = [...new Set([0, ...places.map((place) => place % whole.length), whole.length])].sort(
            (a, b) => a - b,
          );
          const pieces = ends.slice(1).map((end, index) => whole.slice(ends[index], end));
          const lines = recorded([...pieces.map((piece) => delta(piece)), STOP]);
          expect(lines).toHaveLength(pieces.length + 1);
          const text = textsOf(lines);
          // Each line is also cleaned on its own, and some rules replace more the second time.
          const once = clean(JSON.stringify(whole));
          expect([once, clean(once)].map((each) => JSON.parse(each))).toContain(text);
          if (!before.includes(kept)) expect(text).not.toContain(kept);
        },
      ),
      { numRuns: 500 },
    );
  });

  test.each([
    {
      bound: 'text',
      length: 40_000,
      numRuns: 60,
      sizes: fc.array(fc.integer({ min: 3, max: 3_000 }), { minLength: 1 }),
    },
    { bound: 'lines', length: 14_000, numRuns: 10, sizes: fc.constant([1]) },
  ])(
    'has no secret in the recording when it exceeds the bound of $bound',
    ({ length, numRuns, sizes }) => {
      const parts = fc.array(
        fc.tuple(fc.constantFrom(...LONG_SECRETS), fc.integer({ min: 200, max: 1_500 })),
        { minLength: 1 },
      );
      fc.assert(
        fc.property(parts, sizes, (secrets, each) => {
          const texts = secrets.map(([[secret], gap]) => `${filler(gap)} ${secret} `).join('');
          const whole = texts.repeat(Math.ceil(length / texts.length));
          const text = textsOf(recorded([...cut(whole, each).map((piece) => delta(piece)), STOP]));
          expect(secrets.filter(([[, kept]]) => text.includes(kept))).toEqual([]);
          // As above, some lines are cleaned twice.
          const twice = (given: string) => clean(clean(JSON.stringify(given)));
          expect(twice(text) === twice(whole)).toBe(true);
        }),
        { numRuns },
      );
    },
    60_000,
  );

  test('has no secret in the recording when thousands of lines arrive at once', () => {
    const pieces = cut(`${filler(9_990)} ghp_0123456789abcdefghijABCDEFGHIJ ${filler(5_000)}`, [1]);
    const written: string[] = [];
    const recording = recordingTo(written);
    recording.lines('cli', [...pieces.map((piece) => delta(piece)), STOP]);
    const frames = framesIn(written);
    expect(frames).toHaveLength(pieces.length + 1);
    const text = textsOf(frames);
    expect(text).toContain(' <api-key> ');
    expect(text).not.toContain('ABCDEFGHIJ');
  });

  test('is written while it is streamed, but for its end', () => {
    const pieces = cut(filler(100_000), [40]).map((piece) => delta(piece));
    const written = recorded(pieces, false);
    expect(written.length).toBeGreaterThan(pieces.length - 500);
    expect(written).toEqual(pieces.slice(0, written.length));
  });

  test('is written without spaces too', () => {
    const pieces = cut(`monkey ${'iVBORw0KGgo'.repeat(9_000)}`, [40]).map((piece) => delta(piece));
    expect(recorded([...pieces, STOP])).toEqual([...pieces, STOP]);
  });

  test('is redacted to its end if a private key does not end', () => {
    const whole = `Look: -----BEGIN PRIVATE KEY-----\n${KEY_BODY.repeat(40)}`;
    const pieces = cut(whole, [50]).map((piece) => delta(piece));
    const early = recorded(pieces, false);
    expect(early.length).toBeGreaterThan(pieces.length / 2);
    const lines = recorded([...pieces, STOP, delta('Next.'), STOP]);
    expect(lines).toHaveLength(pieces.length + 3);
    expect(textsOf(lines)).toBe('<redacted>Next.');
  });

  test('has no secret in the recording, wherever other entries come between its pieces', () => {
    const places = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...ENTRIES)), { minLength: 1, maxLength: 4 });
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom(...LONG_SECRETS), sizes, places, ([secret, kept], each, entries) => {
        const pieces = cut(`so ${secret} it is`, each);
        const written: string[] = [];
        const recording = recordingTo(written);
        for (const [index, piece] of pieces.entries()) {
          for (const [place, [, write]] of entries) if (place % pieces.length === index) write(recording);
          recording.lines('cli', [delta(piece)]);
        }
        recording.end({ reason: 'closed' });
        const kinds = written.flatMap(entriesIn).map(({ kind }) => kind);
        const expected = pieces.flatMap((_, index) => [
          ...entries.filter(([place]) => place % pieces.length === index).map(([, [kind]]) => kind),
          'line',
        ]);
        expect(kinds).toEqual(['header', ...expected, 'end']);
        expect(textsOf(framesIn(written))).not.toContain(kept);
      }),
      { numRuns: 300 },
    );
  });

  test('stays redacted after another entry of the recording', () => {
    const written: string[] = [];
    const recording = recordingTo(written);
    const whole = `-----BEGIN PRIVATE KEY-----\n${KEY_BODY.repeat(40)}`;
    recording.lines(
      'cli',
      cut(whole, [50]).map((piece) => delta(piece)),
    );
    recording.eof('host');
    recording.lines('cli', [delta('vQIBADAN')]);
    void recording.close();
    expect(written.join('')).not.toContain('vQIBADAN');
  });

  test('is redacted if too many other entries come before its next piece', () => {
    const written: string[] = [];
    const recording = recordingTo(written);
    recording.lines('cli', [delta('so ghp_0123456789')]);
    for (let count = 0; count < 12_000; count++) recording.signal('SIGINT');
    expect(written.length).toBeGreaterThan(10_000);
    recording.lines('cli', [delta('abcdefghij'), STOP]);
    expect(textsOf(framesIn(written))).toBe('<redacted>');
  });

  test('is redacted if it waits for its next piece too long', () => {
    const others = Array.from({ length: 12_000 }, (_, index) => `{"type":"user","index":${index}}`);
    const lines = [delta('so ghp_0123456789'), ...others, delta('abcdefghij', 0), STOP];
    expect(recorded(lines.slice(0, -2), false)).toHaveLength(12_001);
    expect(textsOf(recorded(lines))).toBe('<redacted>');
  });

  test('without a secret is recorded as it is, line by line', () => {
    const lines = [...'Nothing to see here, go on.'].map((letter) => delta(letter));
    expect(recorded([...lines, STOP])).toEqual([...lines, STOP]);
  });

  test('may be empty', () => {
    expect(recorded([delta(''), STOP], false)).toEqual([delta(''), STOP]);
  });

  test('is not mixed with the text of other agents', () => {
    const main = ['ghp_0123456', '789abcdefghij'].map((piece) => delta(piece));
    const other = ['Look', ' here'].map((piece) => delta(piece, 0, 'toolu_1'));
    const done = '{"type":"assistant","parent_tool_use_id":"toolu_1"}';
    const lines = recorded([main[0] ?? '', other[0] ?? '', done, main[1] ?? '', other[1] ?? '', STOP]);
    expect(lines[0]).toBe(delta('<api-key>'));
    expect(lines[3]).toBe(delta(''));
    expect([lines[1], lines[4]]).toEqual(other);
  });

  test('is written as far as it is known when the recording ends', () => {
    expect(recorded([delta('half a wo')])).toEqual([delta('half a wo')]);
  });
});
