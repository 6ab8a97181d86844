import { errorText } from '../util/error-text.js';
import { CoxswainError } from '../util/errors.js';
import type { RequestBody, WireObject } from './frames.js';

// The envelopes of the most common frames are text around the JSON of their content: stringifying a whole object is slower.

/**
 * Writes a control request as one line without its newline.
 * @throws CoxswainError `NOT_SERIALISABLE` for circular values and BigInt.
 */
export function encodeRequest(id: string, body: RequestBody): string {
  return `{"type":"control_request","request_id":${json(id)},"request":${json(body)}}`;
}

/** Writes a success answer; without a value it is a plain ack with no `response` key. */
export function encodeSuccess(id: string, value?: unknown): string {
  const answer = json(value);
  const response = answer === undefined ? '' : `,"response":${answer}`;
  return `{"type":"control_response","response":{"subtype":"success","request_id":${json(id)}${response}}}`;
}

/** Writes an error answer. */
export function encodeRefusal(id: string, error: string, errorCode?: string): string {
  const code = errorCode === undefined ? {} : { error_code: errorCode };
  return encodeObject({
    type: 'control_response',
    response: { subtype: 'error', request_id: id, error, ...code },
  });
}

/** Writes the withdrawal of a request. Old CLIs exit when the host sends one. */
export function encodeCancel(id: string): string {
  return encodeObject({ type: 'control_cancel_request', request_id: id });
}

/** Writes any object as one line. */
export function encodeObject(value: WireObject): string {
  return json(value);
}

/** Writes a value as JSON on one line; undefined if JSON cannot represent it, such as a function. */
function json(value: string | WireObject): string;
function json(value: unknown): string | undefined;
function json(value: unknown): string | undefined {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new CoxswainError(
      'NOT_SERIALISABLE',
      `This value cannot be written as JSON: ${errorText(error).split('\n')[0]}`,
      { cause: error },
    );
  }
  // Node's readline, which JavaScript CLIs may use, also ends a line at these two.
  return text?.includes('\u2028') || text?.includes('\u2029')
    ? text.replaceAll(/[\u2028\u2029]/g, escapeCharacter)
    : text;
}

/** Formats a request id: `req_<counter>_<hex>`. */
export function formatRequestId(counter: number, hex: string): string {
  return `req_${counter}_${hex}`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}
