import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { buildError, buildMessage, type MakeId } from './message.js';
import { type Delivery, type ErrorReply, isErrorReply, type Reply, toMessage } from './replies.js';
import { encodeEvent, streamEvents } from './stream-events.js';

/** The dependencies of sending a reply. */
export interface DeliveryContext {
  readonly model: string;
  readonly stream: boolean;
  readonly makeId: MakeId;
  readonly delay: Delay;
}

/** Waits this many milliseconds, or until the signal is aborted; never throws. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

/** Sends a reply. Resolves when all of it was sent, or when the other side or the model is gone. */
export async function deliver(reply: Reply, out: ServerResponse, context: DeliveryContext): Promise<void> {
  if (isErrorReply(reply)) return sendError(out, reply, context.makeId('req'));
  const message = toMessage(reply);
  const delivery = message.delivery ?? {};
  const body = buildMessage(message, context.model, context.makeId);
  const ended = endOf(out);
  const head = { 'request-id': context.makeId('req'), 'cache-control': 'no-cache', ...message.headers };
  const pieces = context.stream
    ? streamPieces(streamEvents(body, delivery.chunkLength ?? DEFAULT_CHUNK), delivery)
    : wholePieces(JSON.stringify(body), delivery);
  const type = context.stream ? 'text/event-stream; charset=utf-8' : 'application/json';
  // A message that is not streamed and stalls shows no activity at all.
  if (context.stream || pieces.length > 0) {
    out.writeHead(200, { ...head, 'content-type': type });
    out.flushHeaders();
  }
  await writePieces(out, pieces, { delayMs: delivery.delayMs ?? 0, delay: context.delay, signal: ended });
  await finish(out, delivery.end ?? 'whole', ended);
}

/** Sends an API error. */
export function sendError(out: ServerResponse, reply: ErrorReply, requestId: string): void {
  const { error: status, type, message, retryAfter, headers } = reply;
  out.writeHead(status, {
    'content-type': 'application/json',
    'request-id': requestId,
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...headers,
  });
  out.end(JSON.stringify(buildError(status, type, message)));
}

const DEFAULT_CHUNK = 32;

function streamPieces(plan: ReturnType<typeof streamEvents>, { end = 'whole' }: Delivery): string[] {
  const encoded = plan.events.map(encodeEvent);
  if (end === 'whole') return encoded;
  const sent = encoded.slice(0, plan.breakAt);
  return end === 'cut' ? [...sent, half(encoded[plan.breakAt] ?? '')] : sent;
}

function wholePieces(body: string, { end = 'whole' }: Delivery): string[] {
  if (end === 'stall') return [];
  return [end === 'cut' ? half(body) : body];
}

function half(text: string): string {
  return text.slice(0, Math.ceil(text.length / 2));
}

interface Pace {
  readonly delayMs: number;
  readonly delay: Delay;
  readonly signal: AbortSignal;
}

async function writePieces(out: ServerResponse, pieces: readonly string[], pace: Pace): Promise<void> {
  for (const piece of pieces) {
    if (pace.delayMs > 0) await pace.delay(pace.delayMs, pace.signal);
    if (pace.signal.aborted) return;
    await write(out, piece, pace.signal);
  }
}

/** Resolves when the piece was passed to the socket, so a slow reader slows us down, or at the end. */
function write(out: ServerResponse, piece: string, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      ended.removeEventListener('abort', done);
      resolve();
    };
    ended.addEventListener('abort', done);
    out.write(piece, done);
  });
}

async function finish(
  out: ServerResponse,
  end: 'whole' | 'cut' | 'stall',
  ended: AbortSignal,
): Promise<void> {
  if (end === 'whole') out.end();
  if (end === 'cut') out.destroy();
  if (!ended.aborted) await once(ended, 'abort');
}

/** Aborts when the response is over, for whatever reason. */
function endOf(out: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (out.destroyed) controller.abort();
  out.once('close', () => controller.abort());
  return controller.signal;
}
