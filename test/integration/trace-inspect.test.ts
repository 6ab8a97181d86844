import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type InspectedTrace, inspectTrace } from '../../src/wire/trace/inspect/inspect-trace.js';
import { TraceWindows } from '../../src/wire/trace/inspect/trace-windows.js';
import { decodePageLine } from '../../src/wire/trace/page/page-lines.js';
import { loadTrace } from '../../src/wire/trace/read/read-trace.js';
import { startCox } from '../support/cox.js';
import { EMULATED_CLI, startCoxProcess } from '../support/cox-process.js';
import { serverEvents } from '../support/event-stream.js';

const NOTE = 'test/recordings/2.1.326/note.trace';
const lines = readFileSync(NOTE, 'utf8').trimEnd().split('\n');

let folder = '';
let file = '';
let served: InspectedTrace | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'coxswain-inspect-'));
  file = join(folder, 'a.trace');
});
afterEach(async () => {
  await served?.close();
  served = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function inspect(path: string, options = {}): Promise<string> {
  served = await inspectTrace(path, options);
  return served.url;
}

const placesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(decodePageLine)
    .flatMap((line) => ('finding' in line ? [] : [line[0]]));

describe('coxswain inspect', () => {
  test('serves the page with its recording, and lets it call only its own server', async () => {
    const response = await fetch(await inspect(NOTE));
    const page = await response.text();
    expect(page).toContain('{"name":"note.trace","served":true,"follow":false}');
    expect(page).toMatch(/content="default-src 'none'; connect-src 'self'; script-src 'sha256-/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('sends the recording to the page, each line as on the wire', async () => {
    const url = await inspect(NOTE);
    expect(await (await fetch(`${url}windows`)).json()).toMatchObject([{ line: 1 }]);
    const text = await (await fetch(`${url}window/0`)).text();
    const entries = text.split('\n').filter(Boolean).map(decodePageLine);
    const got = entries.flatMap((line) => ('finding' in line ? [] : [{ at: line[0], entry: line[1] }]));
    expect(got).toEqual(await loadTrace(NOTE));
    expect((await fetch(`${url}window/1`)).status).toBe(404);
    expect((await fetch(`${url}else`)).status).toBe(404);
  });

  test('refuses requests without the secret, under another host name, or that write', async () => {
    const url = new URL(await inspect(NOTE));
    const status = (path: string, options: object = {}) =>
      new Promise<number | undefined>((done) => {
        request({ host: '127.0.0.1', port: url.port, path, ...options }, (response) => {
          response.resume();
          done(response.statusCode);
        }).end();
      });
    expect(await status(url.pathname)).toBe(200);
    expect(await status(url.pathname, { headers: { host: `localhost:${url.port}` } })).toBe(200);
    expect(await status('/')).toBe(404);
    expect(await status(`/${'x'.repeat(32)}/`)).toBe(404);
    expect(await status(url.pathname.slice(0, -2))).toBe(404);
    expect(await status(url.pathname, { headers: { host: `evil.example:${url.port}` } })).toBe(404);
    expect(await status(url.pathname, { headers: { host: 'evil.example' } })).toBe(404);
    expect(await status(url.pathname, { method: 'POST' })).toBe(404);
    expect(await status(`${url.pathname}window/../../../../etc/passwd`)).toBe(404);
  });

  test('reports at once what is wrong with a file, or with a port', async () => {
    await expect(inspectTrace('package.json')).rejects.toMatchObject({ code: 'TRACE_INVALID' });
    await expect(inspectTrace('no/such.trace', { follow: true })).rejects.toMatchObject({
      code: 'TRACE_INVALID',
    });
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(inspectTrace(NOTE, { port })).rejects.toMatchObject({ code: 'INSPECT_NOT_STARTED' });
    other.close();
  });

  test('prints its address and ends on a signal', async () => {
    const cox = startCox(['inspect', NOTE, '--json']);
    await cox.until(({ err }) => err.includes('Ctrl-C'));
    const { url } = JSON.parse(cox.output.out);
    expect((await fetch(url)).status).toBe(200);
    cox.interrupt();
    expect(await cox.exitCode).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('windows of a large file', () => {
  test('start at line ends, cover the whole file, and grow with it', async () => {
    writeFileSync(file, `${lines.join('\n')}\n`);
    const windows = new TraceWindows(file, 4_000);
    const list = await windows.list();
    expect(list.length).toBeGreaterThan(3);
    expect(list.map(({ start }) => start)).toEqual([0, ...list.slice(0, -1).map(({ end }) => end)]);
    const text = readFileSync(file, 'utf8');
    for (const { start, line } of list) {
      expect(Buffer.from(text).subarray(0, start).toString().split('\n')).toHaveLength(line);
    }
    appendFileSync(file, `${lines.at(-1)}\n`);
    const grown = await windows.list();
    expect(grown.at(-1)?.end).toBe(Buffer.byteLength(text) + Buffer.byteLength(lines.at(-1) ?? '') + 1);
    writeFileSync(file, `${lines[0]}\n`);
    expect(await windows.list()).toEqual([{ start: 0, line: 1, end: Buffer.byteLength(lines[0] ?? '') + 1 }]);
  });
});

describe('following a recording', () => {
  test('delivers existing and added entries, only whole lines, and the end when the server ends', async () => {
    writeFileSync(file, `${lines[0]}\n`);
    const url = await inspect(file, { follow: true });
    const events = serverEvents(await fetch(`${url}follow`));
    const next = async () => (await events.next()).value;
    expect(await next()).toMatchObject({ event: 'from', data: '1' });
    expect(placesIn((await next())?.data ?? '')).toEqual([1]);
    appendFileSync(file, `${lines[1]}\n${lines[2]?.slice(0, 20)}`);
    expect(await next()).toMatchObject({ event: 'lines', id: '2' });
    appendFileSync(file, `${lines[2]?.slice(20)}\n`);
    expect(placesIn((await next())?.data ?? '')).toEqual([3]);
    appendFileSync(file, `${lines[3]}\n`);
    await served?.close();
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest.map(({ event, id }) => [event, id])).toEqual([
      ['lines', '4'],
      ['end', undefined],
    ]);
  });

  test('continues where a viewer was, and with the next file after a rotation', async () => {
    writeFileSync(file, `${lines.slice(0, 6).join('\n')}\n`);
    const url = await inspect(file, { follow: true });
    const events = serverEvents(await fetch(`${url}follow`, { headers: { 'last-event-id': '4' } }));
    const next = async () => (await events.next()).value;
    await next();
    expect(placesIn((await next())?.data ?? '')).toEqual([5, 6]);
    renameSync(file, `${file}.1`);
    writeFileSync(file, `${lines.slice(0, 2).join('\n')}\n`);
    expect(placesIn((await next())?.data ?? '')).toEqual([7, 8]);
  });

  test('tells the page if the file has a newer format', async () => {
    writeFileSync(file, `${lines[0]?.replace('"v":1', '"v":99')}\n`);
    const url = await inspect(file, { follow: true });
    const events = [];
    for await (const event of serverEvents(await fetch(`${url}follow`))) events.push(event);
    expect(events.at(-1)).toMatchObject({ event: 'problem', data: expect.stringContaining('version 99') });
  });
});

describe('coxswain tap --live', () => {
  test('prints an address, shows lines live, and neither waits for viewers nor leaves the viewer running', async () => {
    const trace = join(folder, 'live.trace');
    const tap = startCoxProcess(
      [
        'tap',
        '--live',
        '-o',
        trace,
        '--',
        resolve(EMULATED_CLI),
        '--input-format',
        'stream-json',
        '--output-format',
        'stream-json',
        '--verbose',
      ],
      { keepInput: true },
    );
    await tap.until('watch it at ', 'err');
    await tap.until('\n', 'err');
    const url = /watch it at (\S+)/.exec(tap.err)?.[1] ?? '';
    const events = serverEvents(await fetch(`${url}follow`));
    // A second viewer reads nothing at all.
    const idle = await fetch(`${url}follow`);
    tap.type('{"type":"control_request","request_id":"r1","request":{"subtype":"initialize"}}\n');
    const seen: string[] = [];
    for await (const { event, data } of events) {
      seen.push(data);
      if (event === 'lines' && data.includes('"control_response"')) break;
    }
    expect(seen.join('\n')).toContain('"request_id":"r1"');
    tap.child.stdin.end();
    expect(await tap.exited).toBe(0);
    await idle.body?.cancel();
    await expect
      .poll(
        () =>
          fetch(url).then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 10_000 },
      )
      .toBe('gone');
  });
});
