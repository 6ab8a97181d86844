import type {
  ClientName,
  CommandName,
  CommandParams,
  CommandValue,
  Role,
} from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isRecord, type OptionKind } from '../../../wire/util/option-checks.js';
import type { FolderFiles } from '../files/folder-files.js';
import type { Worktrees } from '../files/worktrees.js';
import type { AuditLog } from '../keys/audit-log.js';
import type { Devices } from '../keys/devices.js';
import type { Pushes } from '../push/pushes.js';
import type { ConsoleSession } from '../sessions/console-session.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import type { Folders } from './folders.js';
import type { History } from './history.js';
import type { OperatorRule } from './operator-rules.js';

/** Who sends commands. */
export interface Commander extends ClientName {
  readonly kind: 'page' | 'program';
  readonly role: Role;
  readonly key: string;
  /** The id of the key or browser. */
  readonly device?: string | undefined;
  /** Its address. */
  readonly from?: string | undefined;
}

/** What commands work with. */
export interface CommandParts {
  readonly registry: SessionRegistry;
  readonly folders: Folders;
  readonly worktrees: Worktrees;
  readonly history: History;
  readonly audit: AuditLog;
  readonly webhooks: Webhooks;
  /** Undefined on a server without clients. */
  readonly devices?: Devices | undefined;
  readonly pushes?: Pushes | undefined;
  readonly allowBypass: boolean;
}

/** What a command gets besides its parameters. */
export interface CommandContext extends CommandParts {
  readonly files: FolderFiles;
  /** The command's own id. */
  readonly id: string;
  readonly by: Commander;
  /** Aborted when the client gives up waiting. */
  readonly signal: AbortSignal;
  /** The session it applies to. @throws CoxswainError `SESSION_UNKNOWN`. */
  readonly session: () => Promise<ConsoleSession>;
}

/** One command: who may run it, its parameters and what it does. */
export interface CommandDefinition<Name extends CommandName, Context = CommandContext> {
  /** The least role that may run it. Watchers run nothing. */
  readonly role: Exclude<Role, 'watcher'>;
  /** With which parameters operators may run it too, if the role is `owner`. */
  readonly operatorMay?: OperatorRule;
  /** Whether it changes something: if so, it runs once, however often it arrives, and is in the audit log. */
  readonly acts: boolean;
  /** Required parameters. */
  readonly needs?: Readonly<Record<string, OptionKind>>;
  /** Optional parameters. */
  readonly takes?: Readonly<Record<string, OptionKind>>;
  readonly run: (params: CommandParams<Name>, context: Context) => Promise<CommandValue<Name>>;
}

/** A command from a client, not yet validated. */
export interface ReceivedCommand {
  readonly id: string;
  readonly name: string;
  readonly session: string | undefined;
  readonly params: unknown;
}

/** A command with valid parameters. */
export interface CheckedCommand extends ReceivedCommand {
  readonly definition: CommandDefinition<CommandName>;
}

/** Runs a command; rejects with its error. */
export type RunCommand = (
  command: CheckedCommand,
  asked: { readonly by: Commander; readonly signal: AbortSignal },
) => Promise<unknown>;

/** The session with its CLI. @throws CoxswainError `SESSION_ENDED` if there is none to ask. */
export async function cli({ session }: CommandContext): Promise<Session> {
  return (await session()).connected;
}

/** The options of a request: it is cancelled when the client gives up. */
export function asked({ signal }: CommandContext): { readonly signal: AbortSignal } {
  return { signal };
}

/** Definitions of some commands by name. */
export type CommandTable<Names extends CommandName, Context = CommandContext> = {
  readonly [Name in Names]: CommandDefinition<Name, Context>;
};

/** Validates what a client sent before anything else happens. @throws CoxswainError `COMMAND_INVALID`. */
export function checkParams(
  name: string,
  params: unknown,
  { needs = {}, takes = {} }: Pick<CommandDefinition<CommandName>, 'needs' | 'takes'>,
): void {
  if (!isRecord(params)) throw invalid(name, 'its parameters must be an object');
  for (const [key, { expected, accepts }] of Object.entries(needs)) {
    if (!accepts(params[key])) throw invalid(name, `"${key}" must be ${expected}`);
  }
  for (const [key, value] of Object.entries(params)) {
    if (Object.hasOwn(needs, key) || value === undefined) continue;
    const kind = Object.hasOwn(takes, key) ? takes[key] : undefined;
    if (kind === undefined) throw invalid(name, `unknown parameter "${key}"`);
    if (!kind.accepts(value)) throw invalid(name, `"${key}" must be ${kind.expected}`);
  }
}

function invalid(name: string, what: string): CoxswainError {
  return new CoxswainError('COMMAND_INVALID', `The command ${name} was not run: ${what}.`);
}
