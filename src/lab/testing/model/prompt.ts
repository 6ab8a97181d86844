import { createHash } from 'node:crypto';
import { blocksIn, isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';

/** A tool, or a block of the system prompt or of a message: what the API's prompt cache compares. */
export interface PromptPart {
  /** Its place: `tool Bash`, `system 1`, `user 3.0`; `billing` for the line that the API does not pass on. */
  readonly name: string;
  /** The same for the same content, whether it is marked or not. */
  readonly digest: string;
  /** Its length, in characters. */
  readonly size: number;
  /** How long the API is asked to cache everything up to here; undefined if it is not marked. */
  readonly cached: '5m' | '1h' | undefined;
}

/** The parts of a request's prompt, in the order in which the API caches them. */
export function promptOf({ tools, system, messages }: WireObject): readonly PromptPart[] {
  return [
    ...objectsIn(tools).map((tool) => partOf(`tool ${String(tool.name ?? tool.type)}`, tool)),
    ...blocksIn(system).map((block, at) => partOf(isBilling(block) ? BILLING : `system ${at}`, block)),
    ...objectsIn(messages).flatMap(({ role, content }, at) =>
      blocksIn(content).map((block, place) => partOf(`${String(role)} ${at}.${place}`, { role, ...block })),
    ),
  ];
}

/** The line for billing. Some versions change it with each request, so the cache cannot depend on it. */
export const BILLING = 'billing';

/** The first part of a prompt that a later one does not repeat in its place; undefined if it repeats them all. */
export function firstDifference(
  before: readonly PromptPart[],
  after: readonly PromptPart[],
): PromptPart | undefined {
  const [one, other] = [cacheable(before), cacheable(after)];
  return one.find((part, at) => part.digest !== other[at]?.digest);
}

/** The parts on which the cache depends. */
export function cacheable(parts: readonly PromptPart[]): readonly PromptPart[] {
  return parts.filter(({ name }) => name !== BILLING);
}

function isBilling({ text }: WireObject): boolean {
  return typeof text === 'string' && text.startsWith('x-anthropic-billing-header:');
}

function partOf(name: string, block: WireObject): PromptPart {
  const { cache_control: mark, ...content } = block;
  const json = JSON.stringify(content);
  const digest = createHash('sha256').update(json).digest('base64url').slice(0, 16);
  const cached = isObject(mark) ? (mark.ttl === '1h' ? '1h' : '5m') : undefined;
  return { name, digest, size: json.length, cached };
}
