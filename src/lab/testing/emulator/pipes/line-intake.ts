import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import type { BadLine } from '../versions/traits.js';

/** How a CLI treats a line from the host. */
export type Intake =
  | {
      readonly kind: 'request';
      readonly id: string | undefined;
      readonly body: RequestBody;
      readonly raw: WireObject;
    }
  | { readonly kind: 'answer'; readonly id: string | undefined; readonly raw: WireObject }
  | { readonly kind: 'user'; readonly raw: WireObject; readonly content: unknown }
  | { readonly kind: 'nothing'; readonly raw: WireObject }
  | { readonly kind: 'bad'; readonly fault: BadLine; readonly raw: WireObject | undefined };

/** Classifies a line as CLIs do: they check `type`, and little else. */
export function takeIn(line: string): Intake {
  if (line.trim() === '') return bad('empty');
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return bad('malformed');
  }
  if (value === null) return bad('null');
  return isObject(value) ? sort(value) : bad('not-an-object');
}

function sort(raw: WireObject): Intake {
  switch (raw.type) {
    case 'control_request':
      return sortRequest(raw);
    case 'control_response':
      return isObject(raw.response)
        ? { kind: 'answer', id: idOf(raw.response), raw }
        : bad('answer-without-body', raw);
    case 'control_cancel_request':
      return bad('cancel', raw);
    case 'keep_alive':
      return { kind: 'nothing', raw };
    case 'update_environment_variables':
      return bad('environment', raw);
    case 'user':
      return isObject(raw.message) && raw.message.role === 'user'
        ? { kind: 'user', raw, content: raw.message.content }
        : bad('user-without-message', raw);
    default:
      return bad('unknown-type', raw);
  }
}

function sortRequest(raw: WireObject): Intake {
  const { request } = raw;
  if (!isObject(request)) return bad('request-without-body', raw);
  const subtype = typeof request.subtype === 'string' ? request.subtype : String(request.subtype);
  return { kind: 'request', id: idOf(raw), body: { ...request, subtype }, raw };
}

function idOf({ request_id: id }: WireObject): string | undefined {
  return typeof id === 'string' ? id : undefined;
}

function bad(fault: BadLine, raw?: WireObject): Intake {
  return { kind: 'bad', fault, raw };
}
