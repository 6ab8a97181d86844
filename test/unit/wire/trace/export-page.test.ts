import { describe, expect, test } from 'vitest';
import { type TraceFilter, traceCut } from '../../../../src/wire/trace/analysis/filter.js';
import { type TracePageOptions, tracePage } from '../../../../src/wire/trace/page/export-page.js';
import {
  decodePageLine,
  encodePageEntry,
  encodePageFinding,
} from '../../../../src/wire/trace/page/page-lines.js';
import { readPageTemplate } from '../../../../src/wire/trace/page/page-template.js';
import { loadTrace, type TraceSource } from '../../../../src/wire/trace/read/read-trace.js';
import { sampleRecording } from '../../../fixtures/recordings/sample.mjs';

const NOTE = 'test/recordings/2.1.326/note.trace';

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

async function linesIn(source: TraceSource, options?: TracePageOptions) {
  const page = await joined(tracePage(source, options));
  const [, data = ''] =
    /<script type="application\/x-ndjson" id="recording">([^<]*)<\/script>/.exec(page) ?? [];
  // As the page itself reads it.
  const text = data.trim().replaceAll('\\u003c', '<');
  return { page, lines: text.split('\n').map(decodePageLine) };
}

describe('a page', () => {
  test('has every entry of the recording, with its position', async () => {
    const { page, lines } = await linesIn(NOTE);
    const entries = lines.flatMap((line) => ('finding' in line ? [] : [{ at: line[0], entry: line[1] }]));
    expect(entries).toEqual(await loadTrace(NOTE));
    expect(page).toContain('{"name":"note.trace"}');
  });

  test('cannot be broken by the contents of the recording', async () => {
    const said = '</script><script>alert(1)</script><!-- <script>';
    const text = [
      '{"v":1,"kind":"header","startedAt":"","argv":["</script>"],"platform":"","arch":"","writer":"","redacted":true}',
      `{"v":1,"kind":"line","t":1,"from":"cli","frame":{"type":"assistant","message":{"content":${JSON.stringify(said)}}}}`,
      `{"v":1,"kind":"line","t":2,"from":"cli","text":${JSON.stringify(said)}}`,
      `broken ${said}`,
    ].join('\n');
    const { page, lines } = await linesIn({ text }, { name: '</title><script>' });
    const { before, after } = await readPageTemplate();
    expect(page.startsWith(before) && page.endsWith(after)).toBe(true);
    const own = page.slice(before.length, page.length - after.length);
    expect(own.match(/<[^>]*>/g)).toEqual([
      '<script type="application/x-ndjson" id="recording-head">',
      '</script>',
      '<script type="application/x-ndjson" id="recording">',
      '</script>',
    ]);
    expect(JSON.stringify(lines[1])).toContain('alert(1)');
  });

  test('has schema findings after the line they are about', async () => {
    const text = [
      '{"v":1,"kind":"header","startedAt":"","argv":[],"platform":"","arch":"","writer":"","redacted":true}',
      '{"v":1,"kind":"line","t":1,"from":"host","frame":{"type":"control_request","request_id":"r","request":{"subtype":"set_model","model":5}}}',
    ].join('\n');
    const { lines } = await linesIn({ text });
    expect(lines[2]).toMatchObject({ finding: { at: 2, severity: 'error', problem: 'wrong-type' } });
  });

  test('includes the lines that match a filter', async () => {
    const { lines } = await linesIn(NOTE, { filter: { type: 'result' } });
    const kinds = lines
      .flatMap((line) => ('finding' in line ? [] : [line[1]]))
      .filter(({ kind }) => kind === 'line');
    expect(kinds).toHaveLength(2);
  });

  test('has the mistakes of its lines, found with the help of all others', async () => {
    const text = sampleRecording();
    const problems = async (filter: TraceFilter) =>
      (await linesIn({ text }, { filter })).lines.flatMap((line) =>
        'finding' in line ? [[line.finding.at, line.finding.problem]] : [],
      );
    const [bare, unknown, open] = [
      [176, 'bare-envelope'],
      [176, 'unknown'],
      [177, 'unanswered'],
    ];
    expect(await problems({})).toEqual([bare, unknown, open]);
    expect(await problems({ type: 'control_request' })).toEqual([open]);
    expect(await problems({ type: 'control_response' })).toEqual([]);
  });

  test('refuses more than its limit, and says what to do', async () => {
    await expect(joined(tracePage(NOTE, { maxBytes: 5_000 }))).rejects.toMatchObject({
      code: 'TRACE_TOO_LARGE',
      message: expect.stringContaining('coxswain inspect'),
    });
  });

  test('reports that it was not built', async () => {
    await expect(readPageTemplate('no/such/page.html')).rejects.toMatchObject({ code: 'TRACE_PAGE_MISSING' });
  });
});

test('lines for the page survive a round trip, including noise and findings', () => {
  const line = '{"type":"x",  "frame":{"a":1}}';
  const entry = { kind: 'line', t: 1.5, from: 'cli', line, frame: JSON.parse(line) } as const;
  expect(decodePageLine(encodePageEntry({ at: 7, entry }))).toEqual([7, entry]);
  const noise = { kind: 'line', t: 2, from: 'host', line: 'a "b"', frame: undefined } as const;
  expect(decodePageLine(encodePageEntry({ at: 8, entry: noise }))).toMatchObject([8, { line: 'a "b"' }]);
  const finding = { at: 1, severity: 'error', problem: 'p', label: 'l', message: 'm' } as const;
  expect(decodePageLine(encodePageFinding(finding))).toEqual({ finding });
});

test('a cut of a recording is a recording, with the selected lines unchanged', async () => {
  const all = await loadTrace(NOTE);
  expect(await loadTrace({ text: await joined(traceCut(NOTE)) })).toEqual(all);
  const cut = await loadTrace({ text: await joined(traceCut(NOTE, { since: 1200 })) });
  const entries = cut.map(({ entry }) => entry);
  expect(entries[0]?.kind).toBe('header');
  expect(entries.at(-1)?.kind).toBe('end');
  const expected = all.flatMap(({ entry }) => (entry.kind === 'line' && entry.t >= 1200 ? [entry] : []));
  expect(entries.filter(({ kind }) => kind === 'line')).toEqual(expected);
});
