import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';

/** A failed model call. */
export class ModelError extends Error {
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  /** How long to wait before the next attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number | null, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'ModelError';
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A request to the Messages API. */
export interface ModelCall {
  readonly url: string;
  readonly key: string | undefined;
  readonly version: string;
  readonly body: WireObject;
  readonly signal: AbortSignal;
  /** Receives the headers of the answer, whatever it is. */
  readonly onHeaders: (headers: Headers) => void;
}

/**
 * Calls a model through the Messages API and yields the events of its answer.
 * @throws ModelError if it answers with an error, not at all, or incompletely; the signal's reason if that is aborted.
 */
export async function* modelEvents({
  url,
  key = 'emulated',
  version,
  body,
  signal,
  onHeaders,
}: ModelCall): AsyncGenerator<WireObject> {
  try {
    const response = await fetch(`${url.replace(/\/$/, '')}/v1/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'user-agent': `claude-cli/${version} (emulated)`,
        'x-api-key': key,
      },
      body: JSON.stringify({ ...body, stream: true }),
      signal,
    });
    onHeaders(response.headers);
    if (!response.ok || response.body === null) throw await refusalOf(response);
    let isWhole = false;
    for await (const event of eventsIn(response.body)) {
      yield event;
      isWhole ||= event.type === 'message_stop';
    }
    if (!isWhole) throw new ModelError(null, 'The connection was closed');
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ModelError ? error : new ModelError(null, errorText(error));
  }
}

async function refusalOf(response: Response): Promise<ModelError> {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const text = await response.text();
  return new ModelError(response.status, text, Number.isFinite(after) ? after * 1_000 : undefined);
}

/** The events of a stream; an `error` event fails it. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<WireObject> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.flatMap(eventIn);
  }
}

function eventIn(line: string): readonly WireObject[] {
  if (!line.startsWith('data:')) return [];
  const event: unknown = JSON.parse(line.slice('data:'.length));
  if (!isObject(event) || event.type === 'ping') return [];
  if (event.type === 'error') throw new ModelError(null, JSON.stringify(event.error));
  return [event];
}
