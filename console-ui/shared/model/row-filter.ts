import type { Exchange } from './exchanges.js';
import { frameOf, rowText, type WireRow } from './wire-row.js';

/** What a filter may know about a row besides the row itself. */
export interface RowContext {
  readonly exchange: Exchange | undefined;
  readonly isMistake: boolean;
}

/** A parsed filter. */
export interface RowFilter {
  readonly fits: (row: WireRow, context: RowContext) => boolean;
  /** Whether a row that did not match may match later. */
  readonly changes: boolean;
  /** The parts that could not be parsed, in words; they are searched as text. */
  readonly problems: readonly string[];
}

interface Term {
  readonly key: string;
  readonly value: string;
  readonly not: boolean;
}

type Test = (row: WireRow, context: RowContext) => boolean;

/** The filter's keys and their values, for the page's help. */
export const filterKeys: Readonly<Record<string, string>> = {
  type: 'type of the frame: user, assistant, control_request … or noise',
  subtype: 'subtype of a message, or of the request that a frame is or answers',
  from: 'host or cli',
  id: 'request id, or a part of it',
  tool: 'name of a tool that is used or asked for',
  is: 'request, answer, message, control, noise, note, open, refused, mistake',
  since: 'from this time on: 90, 90s, 1.5m, 500ms',
  until: 'up to this time',
};

/**
 * Parses a filter such as `type:assistant -subtype:init "some text"`. Values of one key are alternatives,
 * keys narrow.
 */
export function parseFilter(text: string): RowFilter {
  const terms = termsIn(text);
  const problems: string[] = [];
  const wanted = new Map<string, Test[]>();
  const unwanted: Test[] = [];
  for (const term of terms) {
    const test = testFor(term) ?? problem(term, problems);
    if (term.not) unwanted.push(test);
    else {
      const key = addsUp(term) ? term.key : `${term.key} ${term.value}`;
      wanted.set(key, [...(wanted.get(key) ?? []), test]);
    }
  }
  const groups = [...wanted.values()];
  return {
    fits: (row, context) =>
      groups.every((tests) => tests.some((test) => test(row, context))) &&
      !unwanted.some((test) => test(row, context)),
    changes: terms.some(({ key }) => key === 'is'),
    problems,
  };
}

/** Adds a term to a filter, or removes it. */
export function toggleTerm(text: string, term: string): string {
  const words = wordsIn(text);
  const rest = words.filter((word) => word !== term);
  return (rest.length === words.length ? [...words, term] : rest).join(' ');
}

/** Whether a filter contains a term. */
export function hasTerm(text: string, term: string): boolean {
  return wordsIn(text).includes(term);
}

/** Sets a filter's time range, in milliseconds; without one, removes it. */
export function setRange(text: string, range?: { readonly since: number; readonly until: number }): string {
  const rest = wordsIn(text).filter((word) => !/^(?:since|until):/.test(word));
  if (range === undefined) return rest.join(' ');
  return [...rest, `since:${Math.round(range.since)}ms`, `until:${Math.round(range.until)}ms`].join(' ');
}

/** A filter's time range. */
export function rangeIn(text: string): { readonly since: number; readonly until: number } | undefined {
  const [since, until] = ['since', 'until'].map((key) =>
    wordsIn(text)
      .filter((word) => word.startsWith(`${key}:`))
      .map((word) => timeIn(word.slice(key.length + 1)))
      .find((time) => time !== undefined),
  );
  if (since === undefined && until === undefined) return undefined;
  return { since: since ?? 0, until: until ?? Number.POSITIVE_INFINITY };
}

/** Words; a quoted text is one word. */
function wordsIn(text: string): readonly string[] {
  return text.match(/-?(?:[a-z]+:)?"[^"]*"?|\S+/gi) ?? [];
}

function termsIn(text: string): readonly Term[] {
  return wordsIn(text).map((word) => {
    const not = word.length > 1 && word.startsWith('-');
    const bare = not ? word.slice(1) : word;
    const [, key, value] = /^([a-z]+):(.+)$/is.exec(bare) ?? [];
    if (key === undefined || value === undefined || !Object.hasOwn(filterKeys, key.toLowerCase())) {
      return { key: 'text', value: unquoted(bare), not };
    }
    return { key: key.toLowerCase(), value: unquoted(value), not };
  });
}

function unquoted(text: string): string {
  return text.replaceAll('"', '');
}

/** Words narrow each other, and so do both ends of a time range; other values of one key are alternatives. */
function addsUp({ key }: Term): boolean {
  return key !== 'text' && key !== 'since' && key !== 'until';
}

function testFor({ key, value }: Term): Test | undefined {
  const small = value.toLowerCase();
  switch (key) {
    case 'type':
      return ({ type }) => type.toLowerCase() === small;
    case 'subtype':
      return ({ subtype }) => subtype?.toLowerCase() === small;
    case 'from':
      return ({ from }) => from === small;
    case 'id':
      return ({ requestId }) => requestId?.toLowerCase().includes(small) === true;
    case 'tool':
      return toolTest(value);
    case 'is':
      return IS[small];
    case 'since':
    case 'until':
      return timeTest(key, timeIn(value));
    default:
      return textTest(value);
  }
}

function problem({ key, value }: Term, problems: string[]): Test {
  problems.push(`${key}:${value} is not a valid filter`);
  return () => true;
}

const IS: Readonly<Record<string, Test>> = {
  request: ({ type }) => type === 'control_request',
  answer: ({ type }) => type === 'control_response',
  control: ({ type }) => type.startsWith('control_'),
  message: ({ type, entry }) =>
    entry.kind === 'line' &&
    entry.frame !== undefined &&
    !type.startsWith('control_') &&
    type !== 'keep_alive',
  noise: ({ type }) => type === 'noise',
  note: ({ entry }) => entry.kind !== 'line',
  open: (_, { exchange }) => exchange?.how === 'open' && exchange.question !== undefined,
  refused: (_, { exchange }) => exchange?.how === 'refusal',
  mistake: (_, { isMistake }) => isMistake,
};

function toolTest(name: string): Test {
  const pattern = new RegExp(`"(?:tool_name|name)":\\s*"[^"]*${escaped(name)}`, 'i');
  return (row) => frameOf(row) !== undefined && pattern.test(rowText(row));
}

function textTest(text: string): Test {
  const pattern = new RegExp(escaped(text), 'i');
  return (row) => pattern.test(row.label) || pattern.test(rowText(row));
}

function timeTest(key: 'since' | 'until', time: number | undefined): Test | undefined {
  if (time === undefined) return undefined;
  return key === 'since' ? ({ t }) => t >= time : ({ t }) => t <= time;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function timeIn(value: string): number | undefined {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/i.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) * (UNITS[unit.toLowerCase()] ?? 1_000);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
