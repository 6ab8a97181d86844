import type { CommandName } from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { FolderFiles } from '../files/folder-files.js';
import type { AuditLog } from '../keys/audit-log.js';
import type { ServedSessions } from '../sessions/served-session.js';
import { asksForBypass, bypassRefused } from '../sessions/session-options.js';
import { aboutCommand, aboutOpened } from './about-command.js';
import {
  type CommandDefinition,
  type Commander,
  type CommandParts,
  checkParams,
  type ReceivedCommand,
  type RunCommand,
} from './command.js';
import { CommandMemory } from './command-memory.js';
import { type CommandResult, failed, isClear, succeeded } from './command-result.js';
import { findCommand, mayRun } from './command-table.js';

/** The dependencies of {@link CommandRunner}. */
export interface CommandRunnerParts {
  readonly sessions: ServedSessions;
  readonly audit: Pick<AuditLog, 'add'>;
  readonly allowBypass: boolean;
  /** Runs a permitted command with valid parameters. */
  readonly run: RunCommand;
}

/** Runs commands on sessions of this server. */
export function runHere(parts: CommandParts): RunCommand {
  const files = new FolderFiles(Date.now);
  return ({ id, session, params, definition }, { by, signal }) => {
    const context = { ...parts, files, id, by, signal, session: () => parts.registry.find(session) };
    // Validated before: the parameters match their type.
    return definition.run(params as never, context);
  };
}

/** Runs commands: each id once, over whatever connection and however often it arrives. */
export class CommandRunner {
  readonly #parts: CommandRunnerParts;
  readonly #memory = new CommandMemory<CommandResult>(isClear);
  readonly #running = new Map<string, { readonly key: string; readonly controller: AbortController }>();

  constructor(parts: CommandRunnerParts) {
    this.#parts = parts;
  }

  /** Runs a command; never rejects. What a command that acts returns is frozen. */
  run(command: ReceivedCommand, by: Commander): Promise<CommandResult> {
    const { id, name, params } = command;
    // Before any lookup: the id may belong to someone else's command.
    if (!mayRun(by.role, name, params) && (by.role !== 'owner' || findCommand(name) !== undefined)) {
      const error = new CoxswainError(
        'ROLE_REFUSED',
        `The key "${by.key}" (${by.role}) does not allow this.`,
      );
      return this.#refuse({ id, name, session: command.session, params }, by, error);
    }
    const known = this.#memory.find(command.id);
    if (known !== undefined) return known;
    const definition = findCommand(command.name);
    const about = aboutCommand(command, this.#parts.sessions);
    const running = this.#run(command, definition, by);
    if (definition?.acts === false) return running;
    const result = running.then((settled) => this.#note(command, by, { result: settled, about }));
    this.#memory.keep(command.id, result);
    return result;
  }

  /** The client gave up waiting; the commands of other keys continue. */
  cancel(id: string, key: string): void {
    const running = this.#running.get(id);
    if (running?.key === key) running.controller.abort();
  }

  async #refuse(command: ReceivedCommand, by: Commander, error: CoxswainError): Promise<CommandResult> {
    return this.#note(command, by, { result: failed(error), about: undefined });
  }

  #note(
    command: ReceivedCommand,
    { key, role, device, from, name: client }: Commander,
    { result, about: asked }: { readonly result: CommandResult; readonly about: string | undefined },
  ): CommandResult {
    const { ok } = result;
    const { session = command.session, folder } = aboutOpened(command, result, this.#parts.sessions) ?? {};
    const about = folder === undefined ? asked : `${asked}: ${folder}`;
    const error = result.ok ? undefined : result.error.code;
    const who = { key, role, device, from, client };
    this.#parts.audit.add({ what: command.name.slice(0, 40), ok, ...who, session, about, error });
    return result;
  }

  async #run(
    { id, name, session, params }: ReceivedCommand,
    definition: CommandDefinition<CommandName> | undefined,
    by: Commander,
  ): Promise<CommandResult> {
    const controller = new AbortController();
    this.#running.set(id, { key: by.key, controller });
    try {
      if (definition === undefined) {
        throw new CoxswainError('COMMAND_INVALID', `There is no command ${JSON.stringify(name)}.`);
      }
      checkParams(name, params, definition);
      this.#checkBypass(name, params);
      const command = { id, name, session, params, definition };
      const value = await this.#parts.run(command, { by, signal: controller.signal });
      return definition.acts ? succeeded(value) : { ok: true, value };
    } catch (error) {
      return failed(error);
    } finally {
      this.#running.delete(id);
    }
  }

  #checkBypass(name: string, params: unknown): void {
    const looked = name === 'send' ? envelopeOf(params) : params;
    if (!this.#parts.allowBypass && asksForBypass(looked)) throw bypassRefused();
  }
}

/** What a person writes is text, whatever it looks like; the fields around it are not. */
function envelopeOf(params: unknown): WireObject {
  const message = isObject(params) && isObject(params.message) ? params.message : {};
  return { ...message, message: undefined };
}
