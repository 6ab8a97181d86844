import type { CommandName, Done } from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { FolderFiles } from '../files/folder-files.js';
import type { AuditLog } from '../keys/audit-log.js';
import type { ServedSessions } from '../sessions/served-session.js';
import { asksForBypass } from '../sessions/session-options.js';
import { aboutCommand } from './about-command.js';
import {
  type CommandDefinition,
  type Commander,
  type CommandParts,
  checkParams,
  type ReceivedCommand,
  type RunCommand,
} from './command.js';
import { CommandMemory } from './command-memory.js';
import { commandError } from './errors.js';
import { mayRun } from './policy.js';
import { serverCommands } from './server-commands.js';
import { sessionCommands } from './session-commands.js';

const commands: Readonly<Record<string, unknown>> = { ...serverCommands, ...sessionCommands };

/** The dependencies of {@link CommandRunner}. */
export interface CommandRunnerParts {
  readonly sessions: ServedSessions;
  readonly audit: AuditLog;
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
  readonly #memory = new CommandMemory();
  readonly #running = new Map<string, { readonly key: string; readonly controller: AbortController }>();

  constructor(parts: CommandRunnerParts) {
    this.#parts = parts;
  }

  /** Runs a command and resolves to the answer as JSON; never rejects. */
  run(command: ReceivedCommand, by: Commander): Promise<string> {
    const { id, name, params } = command;
    // Before any lookup: the id may belong to someone else's command.
    if (!mayRun(by.role, name, params) && (by.role !== 'owner' || find(name) !== undefined)) {
      const error = new CoxswainError(
        'ROLE_REFUSED',
        `The key "${by.key}" (${by.role}) does not allow this.`,
      );
      return this.#refuse({ id, name, session: command.session, params }, by, error);
    }
    const known = this.#memory.find(command.id);
    if (known !== undefined) return known;
    const definition = find(command.name);
    const about = aboutCommand(command, this.#parts.sessions);
    const answer = this.#answer(command, definition, by).then((done) => {
      if (definition?.only !== 'reads') this.#note(command, by, { done, about });
      return JSON.stringify(done);
    });
    if (definition?.only !== 'reads') this.#memory.keep(command.id, answer);
    return answer;
  }

  /** The client gave up waiting; the commands of other keys continue. */
  cancel(id: string, key: string): void {
    const running = this.#running.get(id);
    if (running?.key === key) running.controller.abort();
  }

  async #refuse(command: ReceivedCommand, by: Commander, error: CoxswainError): Promise<string> {
    const done: Done = { type: 'done', id: command.id, ok: false, error: commandError(error) };
    this.#note(command, by, { done, about: undefined });
    return JSON.stringify(done);
  }

  #note(
    { name, session }: ReceivedCommand,
    { key, role, name: client }: Commander,
    { done, about }: { readonly done: Done; readonly about: string | undefined },
  ): void {
    const error = done.ok ? undefined : done.error.code;
    this.#parts.audit.add({ what: name.slice(0, 40), ok: done.ok, key, role, client, session, about, error });
  }

  async #answer(
    { id, name, session, params }: ReceivedCommand,
    definition: CommandDefinition<CommandName> | undefined,
    by: Commander,
  ): Promise<Done> {
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
      return { type: 'done', id, ok: true, value };
    } catch (error) {
      return { type: 'done', id, ok: false, error: commandError(error) };
    } finally {
      this.#running.delete(id);
    }
  }

  #checkBypass(name: string, params: unknown): void {
    const looked = name === 'send' ? envelopeOf(params) : params;
    if (this.#parts.allowBypass || !asksForBypass(looked)) return;
    const message =
      'bypassPermissions is not allowed here. Start the console with --allow-bypass to allow it.';
    throw new CoxswainError('BYPASS_REFUSED', message);
  }
}

/** What a person writes is text, whatever it looks like; the fields around it are not. */
function envelopeOf(params: unknown): WireObject {
  const message = isObject(params) && isObject(params.message) ? params.message : {};
  return { ...message, message: undefined };
}

/** Whether a command is read-only. */
export function isReading(name: string): boolean {
  return find(name)?.only === 'reads';
}

function find(name: string): CommandDefinition<CommandName> | undefined {
  return Object.hasOwn(commands, name) ? (commands[name] as CommandDefinition<CommandName>) : undefined;
}
