import type { WireObject } from '../../../wire/protocol/frames.js';
import { checkKeys, checkNumber, checkObject, checkOptionalText, checkText, wrongValue } from './checks.js';
import type { Delivery, ErrorReply, MessageReply, Reply, ReplyBlock, ReplyUsage } from './replies.js';

/**
 * Checks that a value is a reply and returns it.
 * @throws CoxswainError `OPTION_INVALID` naming the place, such as `script[2].reply.content[0].type`.
 */
export function checkReply(value: unknown, name: string): Reply {
  if (Array.isArray(value)) checkBlocks(value, name);
  else checkSingle(checkObject(value, name, 'a reply'), name);
  return value as Reply;
}

function checkSingle(value: WireObject, name: string): void {
  if ('error' in value) checkError(value, name);
  else if ('content' in value) checkMessage(value, name);
  else if ('type' in value) checkBlock(value, name);
  else throw wrongValue(name, 'a reply (a content block, `content`, or `error`)', value);
}

function checkError(value: WireObject, name: string): void {
  checkKeys(value, name, ERROR_KEYS);
  const status = value.error;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 400 || status > 599) {
    throw wrongValue(`${name}.error`, 'an HTTP status from 400 to 599', status);
  }
  checkOptionalText(value.type, `${name}.type`);
  checkOptionalText(value.message, `${name}.message`);
  if (value.retryAfter !== undefined) checkNumber(value.retryAfter, 0, `${name}.retryAfter`);
  if (value.headers !== undefined) checkHeaders(value.headers, `${name}.headers`);
}

function checkMessage(value: WireObject, name: string): void {
  checkKeys(value, name, MESSAGE_KEYS);
  checkBlocks(value.content, `${name}.content`);
  const { stopReason, usage, delivery, headers } = value;
  if (stopReason !== undefined && !STOP_REASONS.has(stopReason)) {
    throw wrongValue(`${name}.stopReason`, `one of ${[...STOP_REASONS].join(', ')}`, stopReason);
  }
  if (usage !== undefined) checkUsage(usage, `${name}.usage`);
  if (delivery !== undefined) checkDelivery(delivery, `${name}.delivery`);
  if (headers !== undefined) checkHeaders(headers, `${name}.headers`);
}

function checkHeaders(value: unknown, name: string): void {
  for (const [header, each] of Object.entries(checkObject(value, name, 'headers'))) {
    checkText(each, `${name}.${header}`);
  }
}

function checkBlocks(value: unknown, name: string): void {
  if (!Array.isArray(value)) throw wrongValue(name, 'a list of content blocks', value);
  for (const [index, block] of value.entries()) {
    checkBlock(checkObject(block, `${name}[${index}]`, 'a content block'), `${name}[${index}]`);
  }
}

function checkBlock(block: WireObject, name: string): void {
  const { type } = block;
  if (!isBlockType(type)) {
    throw wrongValue(`${name}.type`, `one of ${Object.keys(BLOCK_KEYS).join(', ')}`, type);
  }
  checkKeys(block, name, BLOCK_KEYS[type]);
  if (type === 'text') checkText(block.text, `${name}.text`);
  if (type === 'thinking') {
    checkText(block.thinking, `${name}.thinking`);
    checkOptionalText(block.signature, `${name}.signature`);
  }
  if (type === 'tool_use') {
    checkText(block.name, `${name}.name`);
    checkObject(block.input, `${name}.input`, 'an object');
    checkOptionalText(block.id, `${name}.id`);
  }
}

function checkUsage(value: unknown, name: string): void {
  const usage = checkObject(value, name, 'an object');
  checkKeys(usage, name, USAGE_KEYS);
  for (const [key, count] of Object.entries(usage)) checkNumber(count, 0, `${name}.${key}`);
}

function checkDelivery(value: unknown, name: string): void {
  const delivery = checkObject(value, name, 'an object');
  checkKeys(delivery, name, DELIVERY_KEYS);
  const { chunkLength, delayMs, end } = delivery;
  if (chunkLength !== undefined) checkNumber(chunkLength, 1, `${name}.chunkLength`);
  if (delayMs !== undefined) checkNumber(delayMs, 0, `${name}.delayMs`);
  if (end !== undefined && end !== 'whole' && end !== 'cut' && end !== 'stall') {
    throw wrongValue(`${name}.end`, 'whole, cut or stall', end);
  }
}

const MESSAGE_KEYS: readonly (keyof MessageReply)[] = [
  'content',
  'stopReason',
  'usage',
  'delivery',
  'headers',
];
const ERROR_KEYS: readonly (keyof ErrorReply)[] = ['error', 'type', 'message', 'retryAfter', 'headers'];
const DELIVERY_KEYS: readonly (keyof Delivery)[] = ['chunkLength', 'delayMs', 'end'];
const USAGE_KEYS: readonly (keyof ReplyUsage)[] = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
];
const BLOCK_KEYS: Readonly<Record<ReplyBlock['type'], readonly string[]>> = {
  text: ['type', 'text'],
  thinking: ['type', 'thinking', 'signature'],
  tool_use: ['type', 'name', 'input', 'id'],
};
const STOP_REASONS: ReadonlySet<unknown> = new Set([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
]);

function isBlockType(value: unknown): value is ReplyBlock['type'] {
  return typeof value === 'string' && Object.hasOwn(BLOCK_KEYS, value);
}
