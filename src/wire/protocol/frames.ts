/** A JSON object as on the wire. */
export type WireObject = Readonly<Record<string, unknown>>;

/** The body of a control request: its subtype and other fields. */
export interface RequestBody {
  /** The subtype of the request. */
  readonly subtype: string;
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** A request that expects an answer with the same id. */
export interface RequestFrame {
  /** `request`. */
  readonly kind: 'request';
  /** The id that the answer must have. */
  readonly id: string;
  /** The body of the request. */
  readonly body: RequestBody;
}

/** A success answer. A plain ack has no `response` key on the wire; its value is then `undefined`. */
export interface SuccessFrame {
  /** `success`. */
  readonly kind: 'success';
  /** The id of the request. */
  readonly id: string;
  /** The answer. */
  readonly value: unknown;
  /** Keys next to `response` in the envelope, such as `pending_permission_requests`. */
  readonly beside: WireObject;
}

/** An error answer with the other side's message and, from newer CLIs, a code. */
export interface RefusalFrame {
  /** `refusal`. */
  readonly kind: 'refusal';
  /** The id of the request. */
  readonly id: string;
  /** The error message. */
  readonly error: string;
  /** The error code, if the other side sends one. */
  readonly errorCode?: string;
  /** Keys next to the error in the envelope. */
  readonly beside: WireObject;
}

/** The other side withdraws one of its requests; this frame needs no answer. */
export interface CancelFrame {
  /** `cancel`. */
  readonly kind: 'cancel';
  /** The id of the request. */
  readonly id: string;
}

/** A keep-alive frame without other meaning. */
export interface KeepAliveFrame {
  /** `keep-alive`. */
  readonly kind: 'keep-alive';
}

/** Any other object, known or unknown, unchanged. */
export interface MessageFrame {
  /** `message`. */
  readonly kind: 'message';
  /** The unchanged message. */
  readonly message: WireObject;
}

/** A control frame that breaks the protocol. It is reported, but never delivered as a message. */
export interface BrokenFrame {
  /** `broken`. */
  readonly kind: 'broken';
  /** The type that it claims. */
  readonly type: 'control_request' | 'control_response' | 'control_cancel_request';
  /** The request it belongs to, if known. */
  readonly id: string | undefined;
  /** The problem. */
  readonly problem: string;
  /** The unchanged object. */
  readonly raw: WireObject;
}

/** A line that is not a JSON object. */
export interface NoiseFrame {
  /** `noise`. */
  readonly kind: 'noise';
  /** The unchanged line. */
  readonly line: string;
  /** Why it is not a protocol line. */
  readonly problem: string;
}

/** A decoded line. */
export type Frame =
  | RequestFrame
  | SuccessFrame
  | RefusalFrame
  | CancelFrame
  | KeepAliveFrame
  | MessageFrame
  | BrokenFrame
  | NoiseFrame;

/**
 * Decodes one line. Never throws: an unknown object becomes a message, a bad control frame is broken, anything else is
 * noise.
 */
export function decodeLine(line: string): Frame {
  const raw = objectIn(line);
  return typeof raw === 'string' ? noise(line, raw) : classify(raw);
}

/** The object in a line; for noise, the reason why it is not one. */
export function objectIn(line: string): WireObject | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line.trim() === '' ? 'an empty line' : 'not JSON';
  }
  return isObject(value) ? value : `JSON, but ${describe(value)} and not an object`;
}

/** Whether a decoded object is a message and not control traffic. */
export function isMessage({ type }: WireObject): boolean {
  switch (type) {
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
    case 'keep_alive':
      return false;
    default:
      return true;
  }
}

/** Classifies a decoded JSON object. */
export function classify(raw: WireObject): Exclude<Frame, NoiseFrame> {
  switch (raw.type) {
    case 'control_request':
      return classifyRequest(raw);
    case 'control_response':
      return parseAnswer(raw);
    case 'control_cancel_request':
      return typeof raw.request_id === 'string'
        ? { kind: 'cancel', id: raw.request_id }
        : broken('control_cancel_request', raw, undefined, 'it has no request_id');
    case 'keep_alive':
      return { kind: 'keep-alive' };
    default:
      return { kind: 'message', message: raw };
  }
}

/** Reads the envelope of a `control_response`. */
function parseAnswer(raw: WireObject): SuccessFrame | RefusalFrame | BrokenFrame {
  const { response } = raw;
  if (!isObject(response)) return broken('control_response', raw, undefined, 'it has no response object');
  const { subtype, request_id: id, response: value, error, error_code: errorCode } = response;
  const beside = besideAnswer(response);
  if (typeof id !== 'string') return broken('control_response', raw, undefined, 'it has no request_id');
  if (subtype === 'success') return { kind: 'success', id, value, beside };
  if (subtype !== 'error') {
    return broken(
      'control_response',
      raw,
      id,
      `its subtype is ${describe(subtype)}, neither success nor error`,
    );
  }
  const text = typeof error === 'string' ? error : `an error without a text (${describe(error)})`;
  return {
    kind: 'refusal',
    id,
    error: text,
    ...(typeof errorCode === 'string' ? { errorCode } : {}),
    beside,
  };
}

const ANSWER_KEYS: ReadonlySet<string> = new Set([
  'subtype',
  'request_id',
  'response',
  'error',
  'error_code',
]);
const NOTHING: WireObject = Object.freeze({});

/** The other keys of an envelope; most have none, which costs nothing. */
function besideAnswer(response: WireObject): WireObject {
  let beside: Record<string, unknown> | undefined;
  for (const key in response) {
    if (ANSWER_KEYS.has(key)) continue;
    beside ??= {};
    beside[key] = response[key];
  }
  return beside ?? NOTHING;
}

/** Whether a JSON value is an object with keys: not null, not an array. */
export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a JSON value that should be a list of objects; empty if it is something else. */
export function objectsIn(value: unknown): WireObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A JSON value if it is a string. */
export function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A JSON value if it is a string that is not empty. */
export function filledStringIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The content of the message in a frame or a transcript's entry: a string, or a list of blocks. */
export function contentOf({ message }: WireObject): unknown {
  return isObject(message) ? message.content : undefined;
}

/** The blocks of such content; a string is one block of text. */
export function blocksIn(content: unknown): WireObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsIn(content);
}

function classifyRequest(raw: WireObject): RequestFrame | BrokenFrame {
  const { request_id: id, request: body } = raw;
  if (typeof id !== 'string') return broken('control_request', raw, undefined, 'it has no request_id');
  if (!isObject(body)) return broken('control_request', raw, id, 'it has no request object');
  if (!hasSubtype(body)) return broken('control_request', raw, id, 'its request has no subtype');
  return { kind: 'request', id, body };
}

function hasSubtype(body: WireObject): body is RequestBody {
  return typeof body.subtype === 'string';
}

function broken(
  type: BrokenFrame['type'],
  raw: WireObject,
  id: string | undefined,
  problem: string,
): BrokenFrame {
  return { kind: 'broken', type, id, problem, raw };
}

function noise(line: string, problem: string): NoiseFrame {
  return { kind: 'noise', line, problem };
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return value === undefined ? 'missing' : `${JSON.stringify(value)}`;
}
