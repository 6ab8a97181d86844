import { open } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { contentOf, isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import { parsed } from './ends.js';
import { readLines } from './transcript-lines.js';

/** A message that contains all words. */
export interface FoundMessage {
  /** Its `uuid`. */
  readonly uuid: string;
  /** Who said it: a person, the model, or a tool that gave a result. */
  readonly by: 'user' | 'assistant' | 'tool';
  /** The time, in milliseconds since 1970. */
  readonly at: number | undefined;
  /** The text around the first word. */
  readonly text: string;
}

/** A search in a transcript. */
export interface TranscriptSearch {
  readonly words: readonly string[];
  /** The maximum number of messages. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** The words of a search, normalised for comparison. */
export function searchWords(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().split(/\s+/))].filter((word) => word !== '').slice(0, MOST_WORDS);
}

const MOST_WORDS = 10;

/**
 * Finds messages that contain all words, in order, up to a maximum. Reads the file once, line by line, and parses only
 * lines that contain the words. An unreadable file has no matches.
 */
export async function searchTranscript(
  file: string,
  { words, most, signal }: TranscriptSearch,
): Promise<readonly FoundMessage[]> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return [];
  const raw = words.map((word) => JSON.stringify(word).slice(1, -1));
  const found: FoundMessage[] = [];
  try {
    for await (const { text = '' } of readLines(handle)) {
      if (signal.aborted || found.length >= most) break;
      const line = text.toLowerCase();
      if (!raw.every((word) => line.includes(word))) continue;
      const message = foundIn(parsed(text), words);
      if (message !== undefined) found.push(message);
    }
  } finally {
    await handle.close();
  }
  return found;
}

function foundIn(entry: WireObject | undefined, words: readonly string[]): FoundMessage | undefined {
  if (entry === undefined || entry.isSidechain === true || entry.isMeta === true) return undefined;
  const { type, uuid, timestamp } = entry;
  if ((type !== 'user' && type !== 'assistant') || typeof uuid !== 'string') return undefined;
  const content = contentOf(entry);
  const text = stripVTControlCharacters(searchable(content));
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word));
  if (places.includes(-1)) return undefined;
  const at = Date.parse(String(timestamp));
  return {
    uuid,
    by: isResult(content) ? 'tool' : type,
    at: Number.isNaN(at) ? undefined : at,
    text: around(text, Math.min(...places)),
  };
}

function isResult(content: unknown): boolean {
  return objectsIn(content).some(({ type }) => type === 'tool_result');
}

/** Everything that people read of a message: its text, and the inputs and results of tools. */
function searchable(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ type, text, name, input, content: inner }) => {
      if (type === 'text') return String(text);
      if (type === 'tool_use') return `${String(name)} ${valuesOf(input)}`;
      return type === 'tool_result' ? searchable(inner) : '';
    })
    .join('\n');
}

function valuesOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (Array.isArray(input)) return input.map(valuesOf).join('\n');
  return isObject(input) ? valuesOf(Object.values(input)) : '';
}

const BEFORE = 24;
const BEHIND = 160;

function around(text: string, at: number): string {
  const start = Math.max(0, at - BEFORE);
  const piece = text
    .slice(start, at + BEHIND)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${piece}${at + BEHIND < text.length ? '…' : ''}`;
}
