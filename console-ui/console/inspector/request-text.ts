import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';

/** The body of a control request as editable text; an example if there is none. */
export function requestText(frame: WireObject | undefined): string {
  const body = isObject(frame?.request) ? frame.request : { subtype: 'mcp_status' };
  return JSON.stringify(body, null, 2);
}

/** The typed text as a request, or why it is not one. */
export function readRequest(
  text: string,
): { readonly subtype: string; readonly params: WireObject } | { readonly problem: string } {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return { problem: 'A request must be a JSON object.' };
    const { subtype, ...params } = body;
    return typeof subtype === 'string' && subtype !== ''
      ? { subtype, params }
      : { problem: 'A request needs a "subtype".' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
