import { messageName } from '../../protocol/catalog/catalog.js';
import { classify, isObject, objectsIn, type WireObject } from '../../protocol/frames.js';

/** A short name of a frame, without its content: `request initialize`, `answer to initialize`, `system/init`. */
export function labelFrame(frame: WireObject, answeredSubtype?: string): string {
  const sorted = classify(frame);
  if (sorted.kind === 'message') return labelMessage(sorted.message);
  if (sorted.kind === 'request') return `request ${sorted.body.subtype}`;
  if (sorted.kind === 'broken') return `broken ${sorted.type}`;
  const of = answeredSubtype === undefined ? '' : ` to ${answeredSubtype}`;
  return `${WORDS[sorted.kind]}${of}`;
}

const WORDS = {
  success: 'answer',
  refusal: 'refusal',
  cancel: 'cancel',
  'keep-alive': 'keep_alive',
} as const;

/** The id of the control request that a frame is, answers or withdraws. */
export function requestIdOf(frame: WireObject): string | undefined {
  const { request_id: own, response } = frame;
  if (typeof own === 'string') return own;
  return isObject(response) && typeof response.request_id === 'string' ? response.request_id : undefined;
}

/** The content of a frame on one line: the text, or the tool that is used. */
export function summariseFrame(frame: WireObject): string {
  const { request, response, message, event, result, error } = frame;
  if (isObject(request)) return summariseRequest(request);
  if (isObject(response)) return summariseAnswer(response);
  if (isObject(message)) return contentText(message.content);
  if (isObject(event)) return deltaText(event);
  if (typeof result === 'string') return result;
  return typeof error === 'string' ? error : '';
}

function labelMessage(message: WireObject): string {
  const { event } = message;
  const name = messageName(message) || '(no type)';
  return isObject(event) && typeof event.type === 'string' ? `${name}/${event.type}` : name;
}

function summariseRequest({ subtype: _, ...params }: WireObject): string {
  const { tool_name: tool, input } = params;
  if (typeof tool === 'string') return `${tool} ${JSON.stringify(input)}`;
  return Object.keys(params).length === 0 ? '' : JSON.stringify(params);
}

function summariseAnswer({ response, error }: WireObject): string {
  if (typeof error === 'string') return error;
  return response === undefined ? '' : JSON.stringify(response);
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content).map(blockText).join(' ');
}

function blockText({ type, text, thinking, name, input, content }: WireObject): string {
  if (typeof text === 'string') return text;
  if (typeof thinking === 'string') return thinking;
  if (type === 'tool_use') return `${String(name)} ${JSON.stringify(input)}`;
  return type === 'tool_result' ? contentText(content) : String(type);
}

function deltaText({ delta }: WireObject): string {
  if (!isObject(delta)) return '';
  const { text, thinking, partial_json: json } = delta;
  return String(text ?? thinking ?? json ?? '');
}
