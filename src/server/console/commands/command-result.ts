import { toError } from '../../../entry/remote/command-failed.js';
import type { CommandError, Done } from '../../../entry/remote/contract.js';
import { commandError } from './errors.js';

/** How a command ended. */
export type CommandResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: CommandError };

/** The result of a command that acted; frozen, since everyone who repeats the command shares it. */
export function succeeded(value: unknown): CommandResult {
  const result: CommandResult = { ok: true, value: frozenCopy(value) };
  return Object.freeze(result);
}

/** The result of a command that failed; frozen too. */
export function failed(error: unknown): CommandResult {
  return Object.freeze({ ok: false, error: Object.freeze({ ...commandError(error) }) });
}

/** The value of a result. @throws the command's error. */
export function resultValue(result: CommandResult): unknown {
  if (!result.ok) throw toError(result.error);
  return result.value;
}

/** Whether a result tells what the command did. If not, asking again under the same id may tell. */
export function isClear(result: CommandResult): boolean {
  return result.ok || result.error.code !== 'FLEET_UNANSWERED';
}

/** A result as clients and gateways receive it. */
export function doneText(id: string, result: CommandResult): string {
  const done: Done = { type: 'done', id, ...result };
  return JSON.stringify(done);
}

/** Commands may return what the server still uses, so that itself is not frozen. */
function frozenCopy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  const entries = Object.entries(value).map(([key, each]) => [key, frozenCopy(each)] as const);
  return Object.freeze(Object.fromEntries(entries));
}
