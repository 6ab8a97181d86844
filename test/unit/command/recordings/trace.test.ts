import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startCox } from '../../../support/cox.js';
import { programOf } from '../../../support/emulated-program.js';
import { collector } from '../../../support/otel.js';

const OLD = 'test/recordings/2.0.73/note.trace';
const NEW = 'test/recordings/2.1.326/note.trace';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-trace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function trace(...args: readonly string[]) {
  const cox = startCox(['trace', ...args]);
  const exitCode = await cox.exitCode;
  const { out, err } = cox.output;
  return { exitCode, out, err, lines: out.trimEnd().split('\n') };
}

const json = (line: string | undefined): Record<string, unknown> => JSON.parse(line ?? '');

describe('coxswain trace info', () => {
  test('summarises a recording', async () => {
    const { exitCode, out } = await trace('info', OLD);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/CLI +2\.0\.73\n/);
    expect(out).toMatch(/turns +2\n/);
    expect(out).toMatch(/end +closed\n/);
    expect(out).toMatch(/ 2 {2}cli result\/success\n/);
  });

  test('prints it as versioned JSON', async () => {
    const { lines } = await trace('info', NEW, '--json');
    expect(json(lines[0])).toMatchObject({ schema: 1, cliVersion: '2.1.326', turns: 2, broken: 0 });
  });

  test.each([
    ['test/recordings/empty.trace', 'it is empty', 1],
    ['test/recordings/from-the-future.trace', 'format version 99', 1],
    ['package.json', 'its first line is not a header', 1],
    ['no/such.trace', 'cannot be read', 1],
  ])('says what is wrong with %s', async (file, words, code) => {
    const { exitCode, err } = await trace('info', file);
    expect(err).toContain(words);
    expect(err).toContain('what to do:');
    expect(exitCode).toBe(code);
  });
});

describe('coxswain trace list', () => {
  test('prints one line per wire line, with its number, time, sender, name and content', async () => {
    const { lines } = await trace('list', OLD);
    expect(lines[0]).toMatch(/^ {5}3 +\d+\.\d{3}s host > request initialize /);
    expect(lines.some((line) => / < cli {2}result\/success The note is there\.$/.test(line))).toBe(true);
  });

  test.each([
    [['--type', 'result'], 2],
    [['--subtype', 'set_model'], 2],
    [['--subtype', 'can_use_tool', '--from', 'host'], 2],
    [['--text', 'mkdir', '--type', 'assistant'], 1],
    [['--until', '1ms', '--type', 'result'], 0],
    [['--since', '10h'], 0],
  ])('filters with %j', async (flags, count) => {
    const { out } = await trace('list', OLD, '--json', ...flags);
    expect(out.split('\n').filter((line) => line !== '')).toHaveLength(count);
  });

  test('finds a request with its answers by its id', async () => {
    const { lines } = await trace('list', OLD, '--json', '--subtype', 'set_permission_mode');
    const id = String(json(lines[0]).requestId);
    const { lines: found } = await trace('list', OLD, '--json', '--request-id', id);
    expect(found.map((line) => json(line).label)).toEqual([
      'request set_permission_mode',
      'answer to set_permission_mode',
      'answer to set_permission_mode',
    ]);
  });
});

describe('coxswain trace show and grep', () => {
  test('show one line in full, with its partner', async () => {
    const { lines } = await trace('list', OLD, '--json', '--subtype', 'set_model');
    const { out } = await trace('show', OLD, String(json(lines[1]).at));
    expect(out).toContain('"model": "opus"');
    expect(out).toContain('answer to set_model');
    const shown = await trace('show', OLD, String(json(lines[1]).at), '--json');
    expect(json(shown.lines[0])).toMatchObject({ schema: 1, frames: [{ from: 'host' }, { from: 'cli' }] });
    expect(await trace('show', OLD, '9999')).toMatchObject({ exitCode: 2 });
    expect(await trace('show', OLD, '9', '--type', 'user')).toMatchObject({ exitCode: 2 });
  });

  test('show all matching lines in full', async () => {
    const { out } = await trace('show', OLD, '--subtype', 'set_model');
    expect(out.match(/"type": "control_/g)).toHaveLength(2);
    const { lines } = await trace('show', OLD, '--subtype', 'set_model', '--json');
    expect(lines.filter((line) => line !== '').map((line) => json(line).from)).toEqual(['host', 'cli']);
  });

  test('find by a pattern, and report by the exit code whether there was a match', async () => {
    expect((await trace('grep', 'The n[o]te', OLD, '--type', 'result')).lines).toHaveLength(1);
    expect((await trace('grep', '-i', 'THE NOTE', OLD, '--type', 'result')).lines).toHaveLength(1);
    expect(await trace('grep', 'nowhere to be found', OLD)).toMatchObject({ exitCode: 10, out: '' });
    expect(await trace('grep', '(', OLD)).toMatchObject({ exitCode: 2 });
  });
});

describe('coxswain trace diff and validate', () => {
  test('apply the filter, as info does', async () => {
    const { lines } = await trace('diff', OLD, NEW, '--json', '--type', 'assistant');
    const { changes } = json(lines[0]);
    expect(new Set(Array.isArray(changes) ? changes.map(({ label }) => label) : [])).toEqual(
      new Set(['assistant']),
    );
    const found = await trace('validate', 'test/recordings/broken-lines.trace', '--type', 'assistant');
    expect(found.lines[0]).toContain('cannot be read');
    const { out } = await trace('info', OLD, '--json', '--type', 'result');
    expect(json(out).frames).toEqual({ 'cli result/success': 2 });
  });

  test('find no difference between a recording and itself, but some between two versions', async () => {
    expect(await trace('diff', OLD, OLD)).toMatchObject({ exitCode: 0, out: 'no difference\n' });
    const { exitCode, out } = await trace('diff', OLD, NEW);
    expect(exitCode).toBe(10);
    expect(out).toMatch(/\+ cli command_lifecycle \(- \| line \d+\)/);
    const found = await trace('diff', OLD, NEW, '--json');
    expect(json(found.lines[0])).toMatchObject({ schema: 1, changes: expect.any(Array) });
  });

  test('accept the output of real CLIs, and report broken lines', async () => {
    expect(await trace('validate', NEW)).toMatchObject({ exitCode: 0 });
    const { exitCode, out, lines } = await trace('validate', 'test/recordings/broken-lines.trace');
    expect(exitCode).toBe(10);
    expect(out).toContain('This line of the file cannot be read: not JSON.');
    expect(lines.at(-1)).toMatch(/^3 errors, \d+ warnings?$/);
    const asJson = await trace('validate', 'test/recordings/broken-lines.trace', '--json');
    expect(json(asJson.lines.at(-1))).toMatchObject({ schema: 1, kind: 'summary', errors: 3 });
  });
});

describe('coxswain trace to-scenario and replay', () => {
  test('write a scenario, and a CLI that plays it passes the replay of the host', async () => {
    const scenario = join(folder, 'scenario.json');
    expect(await trace('to-scenario', OLD, '-o', scenario)).toMatchObject({ exitCode: 0, out: '', err: '' });
    expect(JSON.parse(readFileSync(scenario, 'utf8'))).toContainEqual(
      expect.objectContaining({ on: 'user', match: 'make a note' }),
    );
    const { lines } = await trace('to-scenario', OLD, '--json');
    expect(json(lines[0])).toMatchObject({ schema: 1, cliVersion: '2.0.73', notes: [] });
  });

  test('report what a CLI does differently from the recording', async () => {
    const { exitCode, lines } = await trace(
      'replay',
      OLD,
      '--json',
      '--timeout',
      '1s',
      '--',
      programOf('2.0.73'),
    );
    expect(exitCode).toBe(10);
    expect(json(lines[0])).toMatchObject({ schema: 1, sent: expect.any(Number), changes: expect.any(Array) });
  });
});

test('coxswain tap needs a target for the recording and a command', async () => {
  expect(await startCox(['tap', '--', 'claude']).exitCode).toBe(2);
  expect(await startCox(['tap', '-o', 'x.trace']).exitCode).toBe(2);
  expect(await startCox(['tap', '-o', 'x.trace', '--max-bytes', 'much', '--', 'claude']).exitCode).toBe(2);
});

describe('coxswain trace export', () => {
  test('writes a private page under the given name, and prints its path', async () => {
    const page = join(folder, 'note.html');
    const { exitCode, out } = await trace('export', '--html', NEW, '-o', page);
    expect([exitCode, out]).toEqual([0, `${page}\n`]);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>.*id="recording".*<\/html>\n$/s);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['note.html']);
  });

  test.skipIf(process.platform === 'win32')('writes into a pipe, and leaves the pipe there', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const read = readFile(pipe, 'utf8');
    expect(await trace('export', '--trace', NEW, '-o', pipe)).toMatchObject({ exitCode: 0 });
    expect((await read).startsWith('{"v":1,"kind":"header"')).toBe(true);
    expect(statSync(pipe).isFIFO()).toBe(true);
  });

  test('writes a page or the selected lines to stdout', async () => {
    const { out } = await trace('export', '--html', OLD, '-o', '-');
    expect(out).toMatch(/^<!doctype html>/);
    const cut = await trace('export', '--trace', OLD, '-o', '-', '--type', 'result');
    expect(cut.lines.filter((line) => json(line).kind === 'line')).toHaveLength(2);
  });

  test.each([
    [[OLD], 'Use one of --html, --trace and --otel'],
    [['--html', '--trace', OLD], 'Use one of --html, --trace and --otel'],
    [['--trace', OLD], 'Set the output file with -o'],
    [['--trace', OLD, '-o', OLD], 'overwrite the recording'],
    [['--html', OLD, '--max-bytes', 'much'], 'It must be a size'],
  ])('refuses %j', async (words, sentence) => {
    const { exitCode, err } = await trace('export', ...words);
    expect(err).toContain(sentence);
    expect(exitCode).toBe(2);
  });
});

describe('coxswain trace export --otel', () => {
  test('writes spans, and sends them to a collector', async () => {
    const output = join(folder, 'spans.json');
    expect(await trace('export', NEW, '--otel', '-o', output)).toMatchObject({ exitCode: 0 });
    const written = JSON.parse(readFileSync(output, 'utf8'));
    expect(written.resourceSpans[0].scopeSpans[0].spans).toHaveLength(10);
    const { url, received } = await collector();
    const { out } = await trace('export', NEW, '--otel', '--endpoint', url);
    expect(out).toBe(`10 spans sent to ${url}/v1/traces\n`);
    expect(received.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(JSON.parse(received[0]?.body ?? '').resourceSpans).toHaveLength(1);
  });

  test('says when a collector refuses, and which flags do not go together', async () => {
    const { url } = await collector(503);
    const refused = await trace('export', NEW, '--otel', '--endpoint', url);
    expect(refused.exitCode).not.toBe(0);
    expect(refused.err).toContain(`${url}/v1/traces answered 503.`);
    expect((await trace('export', NEW, '--otel', '--html')).err).toContain('Use one of');
    expect((await trace('export', NEW, '--otel', '--type', 'user')).err).toContain('whole recording');
    expect((await trace('export', NEW, '--html', '--content')).err).toContain('--content needs --otel');
    expect((await trace('export', NEW, '--html', '--endpoint', url)).err).toContain(
      '--endpoint needs --otel',
    );
  });
});
