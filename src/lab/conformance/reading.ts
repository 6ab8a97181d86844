import {
  blocksIn,
  contentOf,
  isObject,
  type RequestBody,
  type WireObject,
} from '../../wire/protocol/frames.js';

/** Whether a frame is the expected one. */
export type Fits = (frame: WireObject) => boolean;

/** A message of this type, and of this subtype if one is given. */
export function message(type: string, subtype?: string): Fits {
  return (frame) => frame.type === type && (subtype === undefined || frame.subtype === subtype);
}

/** A control request from the CLI; `fits` checks its body. */
export function requestOf(subtype: string, fits: (body: WireObject) => boolean = () => true): Fits {
  return (frame) => {
    const body = bodyOf(frame);
    return body?.subtype === subtype && fits(body);
  };
}

/** A JSON-RPC message to an in-process server. */
export function rpc(method: string, server?: string): Fits {
  return requestOf('mcp_message', ({ server_name: name, message: sent }) => {
    return isObject(sent) && sent.method === method && (server === undefined || name === server);
  });
}

/** A hook callback for this event. */
export function hookOf(event: string): Fits {
  return requestOf('hook_callback', ({ input }) => isObject(input) && input.hook_event_name === event);
}

/** The withdrawal of a CLI request. */
export function cancelOf(id: unknown): Fits {
  return (frame) => frame.type === 'control_cancel_request' && frame.request_id === id;
}

/** The body of a control request, if the frame is one. */
export function bodyOf(frame: WireObject): RequestBody | undefined {
  if (frame.type !== 'control_request' || !isObject(frame.request)) return undefined;
  const { subtype } = frame.request;
  return typeof subtype === 'string' ? { ...frame.request, subtype } : undefined;
}

/** The part of an object under a key, or an empty object. */
export function part(value: unknown, ...keys: readonly string[]): WireObject {
  const found = keys.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value);
  return isObject(found) ? found : {};
}

/** The list under a key, or an empty one. */
export function list(value: unknown, key: string): readonly unknown[] {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The content blocks of all messages of one type, in order. */
export function blocks(frames: readonly WireObject[], type: 'assistant' | 'user'): readonly WireObject[] {
  return frames.filter(message(type)).flatMap((frame) => blocksIn(contentOf(frame)));
}

/** A tool's result. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
}

/** The results of the tool calls, in order. */
export function toolOutcomes(frames: readonly WireObject[]): readonly ToolOutcome[] {
  return blocks(frames, 'user')
    .filter(({ type }) => type === 'tool_result')
    .map(({ content, is_error: isError }) => ({ text: plainText(content), isError: isError === true }));
}

/** The text of content, given as a string or as blocks. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('\n');
}

/** What the user role was told, as one text, such as the note about an interrupt. */
export function userTexts(frames: readonly WireObject[]): readonly string[] {
  return blocks(frames, 'user').flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/** Frames in words, for display when something else was expected. */
export function labels(frames: readonly WireObject[]): string {
  return frames.map(label).join(', ') || 'nothing';
}

function label(frame: WireObject): string {
  const { type, subtype } = frame;
  if (type === 'control_request') return `ask ${part(frame, 'request').subtype}`;
  if (type === 'control_response') return `answer ${part(frame, 'response').subtype}`;
  return subtype === undefined ? String(type) : `${type}/${subtype}`;
}
