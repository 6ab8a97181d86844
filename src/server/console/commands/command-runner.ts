import type { CommandName, Done } from '../../../entry/remote/contract.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { asksForBypass } from '../sessions/session-options.js';
import { type CommandDefinition, type Commander, type CommandParts, checkParams } from './command.js';
import { CommandMemory } from './command-memory.js';
import { commandError } from './errors.js';
import { serverCommands } from './server-commands.js';
import { sessionCommands } from './session-commands.js';

const commands: Readonly<Record<string, unknown>> = { ...serverCommands, ...sessionCommands };

/** A command as it came from a client; nothing of it is known to be right. */
export interface ReceivedCommand {
  readonly id: string;
  readonly name: string;
  readonly session: string | undefined;
  readonly params: unknown;
}

/** Runs commands: each id once, whatever connection it comes by and however often. */
export class CommandRunner {
  readonly #parts: CommandParts;
  readonly #memory = new CommandMemory();
  readonly #running = new Map<string, AbortController>();

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  /** Runs a command and resolves to the answer as JSON; never rejects. */
  run(command: ReceivedCommand, by: Commander): Promise<string> {
    const known = this.#memory.find(command.id);
    if (known !== undefined) return known;
    const definition = find(command.name);
    const answer = this.#answer(command, definition, by).then((done) => JSON.stringify(done));
    if (definition?.only !== 'reads') this.#memory.keep(command.id, answer);
    return answer;
  }

  /** The client gave up waiting for it. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  async #answer(
    { id, name, session, params }: ReceivedCommand,
    definition: CommandDefinition<CommandName> | undefined,
    by: Commander,
  ): Promise<Done> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    try {
      if (definition === undefined) {
        throw new CoxswainError('COMMAND_INVALID', `There is no command ${JSON.stringify(name)}.`);
      }
      checkParams(name, params, definition);
      this.#checkBypass(name, params);
      const context = {
        ...this.#parts,
        id,
        by,
        signal: controller.signal,
        session: () => this.#parts.registry.find(session),
      };
      // Checked above: what it takes is what its type says.
      return { type: 'done', id, ok: true, value: await definition.run(params as never, context) };
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

/** What a person says is text, whatever it looks like; what stands around it is not. */
function envelopeOf(params: unknown): WireObject {
  const message = isObject(params) && isObject(params.message) ? params.message : {};
  return { ...message, message: undefined };
}

function find(name: string): CommandDefinition<CommandName> | undefined {
  return Object.hasOwn(commands, name) ? (commands[name] as CommandDefinition<CommandName>) : undefined;
}
