import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorText } from '../../util/error-text.js';
import { encodePageEntry, type PageHead } from '../page/page-lines.js';
import { PageWriter } from '../page/page-source.js';
import { dataBlock, type PageTemplate } from '../page/page-template.js';
import { readTracePart, type TracePart } from '../read/read-trace.js';
import { followTrace } from './follow-trace.js';
import type { TraceWindows } from './trace-windows.js';

/** What is served. */
export interface Inspected {
  readonly path: string;
  readonly template: PageTemplate;
  readonly head: PageHead;
  readonly windows: TraceWindows;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** Answers a request, by the part of the address after the secret. */
export type Routes = (name: string, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The page, the list of windows, one window, and the stream of new entries. */
export function routesFor(inspected: Inspected): Routes {
  return async (name, request, response) => {
    const [first = '', second] = name.split('/');
    for (const [key, value] of Object.entries(HEADERS)) response.setHeader(key, value);
    if (name === '') sendPage(inspected, response);
    else if (name === 'windows') await sendWindows(inspected, response);
    else if (first === 'window') await sendWindow(inspected, Number(second), response);
    else if (name === 'follow') await sendAsItComes(inspected, request, response);
    else response.writeHead(404).end();
  };
}

const HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
} as const;

function sendPage({ head, template: { before, after } }: Inspected, response: ServerResponse): void {
  // The exported page may not fetch anything; this one may fetch from its own server.
  const allowed = before.replace("default-src 'none';", "default-src 'none'; connect-src 'self';");
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`${allowed}${dataBlock('recording-head', JSON.stringify(head))}${after}`);
}

async function sendWindows({ windows }: Inspected, response: ServerResponse): Promise<void> {
  const list = await windows.list();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(list.map(({ line, start, end }) => ({ line, bytes: end - start }))));
}

async function sendWindow(
  { path, windows }: Inspected,
  index: number,
  response: ServerResponse,
): Promise<void> {
  const list = await windows.list();
  const part = list[index];
  if (part === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.setHeader('content-type', 'application/x-ndjson');
  const isLast = index === list.length - 1;
  for await (const text of inPieces(windowLines(path, part, { isFirst: index === 0, isLast }))) {
    if (!(await taken(response, text))) return;
  }
  response.end();
}

/** First all entries, then their findings: checking takes longer than reading. */
async function* windowLines(
  path: string,
  part: TracePart,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): AsyncGenerator<string, void, undefined> {
  for await (const placed of readTracePart(path, part)) yield encodePageEntry(placed);
  const writer = await PageWriter.make({ fromStart: isFirst });
  for await (const placed of readTracePart(path, part)) {
    const [_, ...findings] = writer.lines(placed);
    yield* findings;
  }
  // What is open at the end of a window may be answered in the next one.
  if (isLast) yield* writer.rest();
}

const PIECE = 64 * 1024;

async function* inPieces(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Server-sent events, from the last window or from where the viewer was. The file never waits for a viewer. */
async function sendAsItComes(
  inspected: Inspected,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { path, windows, closing } = inspected;
  const seen = Number(request.headers['last-event-id'] ?? 0);
  const left = new AbortController();
  response.once('close', () => left.abort());
  const signal = AbortSignal.any([closing, left.signal]);
  const from = startFor(await windows.list(), seen);
  response.setHeader('content-type', 'text/event-stream');
  response.write(event('from', String(from.line)));
  const writer = await PageWriter.make({ fromStart: from.line === 1 });
  try {
    for await (const entries of followTrace(path, { from, signal })) {
      // Entries that the viewer already has are processed too, so that answers find their requests, but not sent.
      const written = entries.map((placed) => ({ at: placed.at, lines: writer.lines(placed) }));
      const lines = written.flatMap((each) => (each.at > seen ? each.lines : []));
      const text = event('lines', lines.join('\n'), entries.at(-1)?.at);
      if (lines.length > 0 && !(await taken(response, text))) return;
    }
    response.end(event('end', ''));
  } catch (error) {
    // The page is told, because it would keep reconnecting to a stream that just breaks off.
    response.end(event('problem', errorText(error)));
  }
}

function event(name: string, data: string, id?: number): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`);
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`;
}

/** The window in which a viewer continues; a new viewer starts with the last. */
function startFor(windows: readonly TracePart[], seen: number): Pick<TracePart, 'start' | 'line'> {
  const next = seen > 0 ? windows.findLast(({ line }) => line <= seen + 1) : windows.at(-1);
  return next ?? { start: 0, line: 1 };
}

/** Writes at the reader's pace; false if the reader is gone. */
async function taken(response: ServerResponse, text: string): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  await new Promise<void>((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
  return !response.destroyed;
}
