import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** The kinds of MCP content, with the required key of each. */
const CONTENT_KEYS: Readonly<Record<string, string>> = {
  text: 'text',
  image: 'data',
  audio: 'data',
  resource: 'resource',
  resource_link: 'uri',
};

/**
 * Turns the return value of a tool into an MCP result: a string, MCP content, a whole result, or any JSON value.
 * @throws TypeError for what cannot be written as JSON.
 */
export function toolResult(value: unknown): WireObject {
  // The API refuses an empty text block; every CLI accepts a result without content.
  if (value === undefined || value === '') return { content: [] };
  if (typeof value === 'string') return textResult(value);
  if (isWholeResult(value)) return value;
  if (isContent(value)) return { content: [value] };
  if (Array.isArray(value) && value.length > 0 && value.every(isContent)) return { content: value };
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) throw new TypeError(`it returned a ${typeof value}, which is not a JSON value`);
  return textResult(json);
}

/** The error result for the model. */
export function errorResult(text: string): WireObject {
  return { ...textResult(text), isError: true };
}

/** A result that is safe to send: content that MCP does not know would break the call. */
export function soundResult(result: WireObject): WireObject {
  const { content } = result;
  const odd = Array.isArray(content) ? content.find((block) => !isContent(block)) : content;
  return odd === undefined
    ? result
    : errorResult(`The tool returned content of an unknown type: ${shown(odd)}`);
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, SHOWN);
}

const SHOWN = 200;

function textResult(text: string): WireObject {
  return { content: [{ type: 'text', text }] };
}

/** Other values may have a key `content` too; only a list of typed blocks is MCP content. */
function isWholeResult(value: unknown): value is WireObject {
  if (!isObject(value) || !Array.isArray(value.content)) return false;
  return value.content.every((block) => isObject(block) && Object.hasOwn(CONTENT_KEYS, String(block.type)));
}

function isContent(value: unknown): value is WireObject {
  if (!isObject(value) || typeof value.type !== 'string') return false;
  const key = Object.hasOwn(CONTENT_KEYS, value.type) ? CONTENT_KEYS[value.type] : undefined;
  return key !== undefined && value[key] !== undefined;
}
