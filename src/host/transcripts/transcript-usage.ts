import { open } from 'node:fs/promises';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { parsed } from './ends.js';
import type { FoundTranscript } from './find-transcript.js';
import { subagentsOf } from './subagents.js';
import { readLines } from './transcript-lines.js';

/** Tokens of the model's answers. */
export interface UsedTokens {
  /** Read without the cache. */
  readonly input: number;
  /** Written by the model. */
  readonly output: number;
  /** Read from the cache. */
  readonly cacheRead: number;
  /** Written to the cache. */
  readonly cacheCreation: number;
}

/**
 * The tokens of a conversation and its subagents by day, in the time zone of this machine: `2026-11-16`. An answer of
 * several blocks is several lines, each with the usage of the whole answer, and counts once.
 */
export async function usageByDay(
  found: FoundTranscript,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, UsedTokens>> {
  const answers = new Map<string, { readonly day: string; readonly tokens: UsedTokens }>();
  const files = [found.file, ...(await subagentsOf(found)).map(({ file }) => file)];
  for (const file of files) {
    for await (const entry of answersIn(file, signal)) {
      const { timestamp, message } = entry;
      const at = new Date(String(timestamp));
      if (!isObject(message) || Number.isNaN(at.getTime())) continue;
      answers.set(`${file} ${message.id}`, { day: dayOf(at), tokens: tokensIn(message.usage) });
    }
  }
  const days = new Map<string, UsedTokens>();
  for (const { day, tokens } of answers.values()) days.set(day, sumTokens(days.get(day) ?? NONE, tokens));
  return days;
}

/** A date as YYYY-MM-DD. */
export function dayOf(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export const NONE: UsedTokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

export function sumTokens(one: UsedTokens, other: UsedTokens): UsedTokens {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheCreation: one.cacheCreation + other.cacheCreation,
  };
}

async function* answersIn(file: string, signal: AbortSignal): AsyncGenerator<WireObject, void, undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return;
  try {
    for await (const { text = '' } of readLines(handle)) {
      if (signal.aborted) return;
      if (!ANSWER.test(text)) continue;
      const entry = parsed(text);
      if (entry?.type === 'assistant') yield entry;
    }
  } finally {
    await handle.close();
  }
}

const ANSWER = /"usage":\s*\{/;

function tokensIn(usage: unknown): UsedTokens {
  const told = isObject(usage) ? usage : {};
  const number = (value: unknown) => (typeof value === 'number' ? value : 0);
  return {
    input: number(told.input_tokens),
    output: number(told.output_tokens),
    cacheRead: number(told.cache_read_input_tokens),
    cacheCreation: number(told.cache_creation_input_tokens),
  };
}
