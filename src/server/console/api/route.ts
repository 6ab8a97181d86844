import type { z } from 'zod';
import type {
  CommandName,
  CommandParams,
  CommandValue,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import type { Visitor } from '../http/access.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { HttpProblem } from './problems.js';

/** What a request brings: checked, where a schema says how. */
export interface RouteInput {
  readonly path: Readonly<Record<string, string>>;
  // Each route knows the types of its own schemas.
  readonly query: never;
  readonly body: never;
}

/** What routes work with. */
export interface RouteParts {
  readonly registry: ServedSessions;
  readonly webhooks: Webhooks;
  readonly visitor: Visitor;
  /** Runs a command under the key of whoever asks; throws what it failed with. */
  readonly command: <Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    session?: string,
  ) => Promise<CommandValue<Name>>;
  /** What the server is. */
  readonly server: {
    readonly version: string;
    readonly roots: readonly string[];
    readonly allowBypass: boolean;
  };
}

/** One route: what the router serves, and what the OpenAPI document says of it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With names in braces, as OpenAPI has them. */
  readonly path: string;
  /** The name of the operation. */
  readonly name: string;
  readonly tag: string;
  /** What it does, in a line. */
  readonly about: string;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  /** Where a request without a body counts as one with an empty object. */
  readonly bodyIsOptional?: boolean | undefined;
  /** What it answers; nothing where this is missing. */
  readonly answer?: z.ZodType | undefined;
  readonly status?: 200 | 201 | 202 | undefined;
  /** Whether it changes something: it takes an `Idempotency-Key` then. */
  readonly acts?: boolean | undefined;
  /** Whether what its path says is key enough. */
  readonly isOpen?: boolean | undefined;
  /** Answers with JSON. */
  readonly run?: ((input: RouteInput, parts: RouteParts) => Promise<unknown>) | undefined;
  /** Answers with server-sent events, of one conversation or of the server. */
  readonly streams?: 'conversation' | 'server' | undefined;
}

/** A page of a list that is sorted by something, and named by an id; the cursor names the last one that was told. */
export function pageOf<Item>(
  all: readonly Item[],
  { limit = 100, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  placeOf: (item: Item) => readonly [number, string],
): { readonly items: readonly Item[]; readonly next: string | null } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const isBehind = (item: Item) => {
    if (after === undefined) return true;
    const [at, id] = placeOf(item);
    return at < after[0] || (at === after[0] && id > after[1]);
  };
  const sorted = all.toSorted((one, other) => {
    const [[at, id], [otherAt, otherId]] = [placeOf(one), placeOf(other)];
    return otherAt - at || (id < otherId ? -1 : 1);
  });
  const left = sorted.filter(isBehind);
  const items = left.slice(0, limit);
  const last = items.at(-1);
  return { items, next: left.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null };
}

function writeCursor(place: readonly [number, string]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws HttpProblem for what no page has told. */
function readCursor(cursor: string): readonly [number, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string')
      return [value[0], value[1]];
  } catch {
    // Said below.
  }
  throw new HttpProblem(400, 'COMMAND_INVALID', { detail: 'This cursor is unknown.' });
}

/** What a conversation has used. */
export function usageOf({ costUsd, costIsPartial, tokens, context, maxBudgetUsd }: SessionSummary) {
  return { costUsd, costIsPartial, tokens, context, maxBudgetUsd };
}
