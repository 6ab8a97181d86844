import type { z } from 'zod';
import type {
  CommandName,
  CommandParams,
  CommandValue,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import { commands } from '../commands/command-table.js';
import type { Visitor } from '../http/access.js';
import type { Conversations } from '../service/conversations.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { HttpProblem } from './problems.js';

/** The content of a request, validated if there is a schema. */
export interface RouteInput {
  readonly path: Readonly<Record<string, string>>;
  // Each route knows the types of its own schemas.
  readonly query: never;
  readonly body: never;
}

/** What routes work with. */
export interface RouteParts {
  readonly conversations: Conversations;
  readonly webhooks: Webhooks;
  readonly visitor: Visitor;
  /** Resolves when a wrong key may be answered. */
  readonly afterGuess: () => Promise<void>;
  /** Runs a command under the request's id; throws its error. */
  readonly command: <Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    session?: string,
  ) => Promise<CommandValue<Name>>;
  /** Information about the server. */
  readonly server: {
    readonly version: string;
    readonly roots: readonly string[];
    readonly allowBypass: boolean;
  };
}

/** One route: what the router serves, and what the OpenAPI document says about it. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With names in braces, as in OpenAPI. */
  readonly path: string;
  /** The name of the operation. */
  readonly name: string;
  readonly tag: string;
  /** What it does, in one line. */
  readonly about: string;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  /** If set, a missing body counts as an empty object. */
  readonly bodyIsOptional?: boolean | undefined;
  /** The answer; if missing, there is none. */
  readonly answer?: z.ZodType | undefined;
  readonly status?: 200 | 201 | 202 | undefined;
  /** The command that it runs; one that acts accepts an `Idempotency-Key`. */
  readonly command?: CommandName | undefined;
  /** Whether the path itself is the key. */
  readonly isOpen?: boolean | undefined;
  /** Answers with JSON. Default: the value of the command, whose parameters are those of path, query and body. */
  readonly run?: ((input: RouteInput, parts: RouteParts) => Promise<unknown>) | undefined;
  /** Answers with server-sent events, for one conversation or the whole server. */
  readonly streams?: 'conversation' | 'server' | undefined;
}

/** Whether a route changes something. */
export function acts({ command }: Pick<Route, 'command'>): boolean {
  return command !== undefined && commands[command].acts;
}

/** Runs a route; rejects with its error. */
export async function runRoute(
  { run, command }: Route,
  input: RouteInput,
  parts: RouteParts,
): Promise<unknown> {
  if (run !== undefined || command === undefined) return run?.(input, parts);
  const { conversation, ...path } = input.path;
  const params: object = { ...(input.query as object), ...(input.body as object | undefined), ...path };
  // The schemas of the route have the names of the parameters, and the command checks them again.
  return parts.command(command, params as never, conversation);
}

/** A page of a sorted list whose entries have ids; the cursor names the last entry sent. */
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

/** @throws HttpProblem for a cursor that no page returned. */
function readCursor(cursor: string): readonly [number, string] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'string')
      return [value[0], value[1]];
  } catch {
    // Defined below.
  }
  throw new HttpProblem(400, 'COMMAND_INVALID', { detail: 'This cursor is unknown.' });
}

/** A conversation's usage. */
export function usageOf({ costUsd, costIsPartial, tokens, context, maxBudgetUsd }: SessionSummary) {
  return { costUsd, costIsPartial, tokens, context, maxBudgetUsd };
}
