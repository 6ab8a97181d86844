import { isObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { Commander, ReceivedCommand } from '../../console/commands/command.js';
import { type CommandResult, doneText } from '../../console/commands/command-result.js';
import type { Engine } from '../engine/engine.js';
import { type Epoch, fenced, refusalIsFinal } from '../engine/epochs.js';
import { dropText, packText, unpackText } from '../engine/long-texts.js';
import { persist } from '../engine/persist.js';

/** A command that an earlier owner accepted. */
export interface EarlierCommand {
  /** Its answer as it is stored, if there is one. */
  readonly done?: string | undefined;
  /** The command itself, if it can run now in case it never did. */
  readonly command?: KeptCommand | undefined;
}

/** A command with its sender. */
export interface KeptCommand extends ReceivedCommand {
  readonly by: Commander;
}

const KEPT = 10_000;

/** A conversation's accepted commands, stored in the engine before they run. */
export class CommandRecords {
  readonly #engine: Engine;
  readonly #epoch: Epoch;
  readonly #clock: Clock;
  readonly #earlier = new RecentMap<string, EarlierCommand>(KEPT);
  readonly #unanswered = new Map<string, KeptCommand>();
  /** Where accepted commands without a result are that were too long for a message. */
  readonly #packed = new Map<string, string>();
  readonly #end = new AbortController();
  #isFirst = false;

  constructor(engine: Engine, epoch: Epoch, clock: Clock) {
    this.#engine = engine;
    this.#epoch = epoch;
    this.#clock = clock;
  }

  /** Reads what earlier owners accepted. */
  async learn(): Promise<void> {
    const { logs } = this.#engine;
    const key = { session: this.#epoch.session, part: 'commands' } as const;
    const end = await logs.last(key);
    this.#isFirst = end === undefined;
    const range = { from: 1, to: end?.sequence ?? 0 };
    for await (const { text } of logs.read(key, range)) this.#note(JSON.parse(text));
    for (const [id, packed] of this.#packed) this.#note(await this.#unpacked(id, packed));
  }

  /** Whether no earlier owner has accepted any. */
  get isFirst(): boolean {
    return this.#isFirst;
  }

  /** What earlier owners did with a command. */
  earlier(id: string): EarlierCommand | undefined {
    return this.#earlier.get(id);
  }

  /** Accepted commands without a known result. */
  get unanswered(): readonly KeptCommand[] {
    return [...this.#unanswered.values()];
  }

  /**
   * Records that a command is accepted; resolves when the engine has it. @throws CoxswainError
   * `FLEET_FENCED`.
   */
  accept(command: ReceivedCommand, by: Commander): Promise<void> {
    const { id, name, session } = command;
    // If this owner does not send a message to the model, the next one does.
    const kept = name === 'send' ? { id, name, session, params: command.params, by } : undefined;
    const whole = JSON.stringify({ id, name, state: 'accepted', command: kept });
    return this.#write(`${id}:accepted`, async () => {
      const packed = await packText(this.#engine, whole, `${this.#epoch.session}/commands/${id}`);
      if (packed === whole) return whole;
      this.#packed.set(id, packed);
      return JSON.stringify({ id, name, state: 'accepted', packed });
    });
  }

  /** Records a command's result. */
  async done({ id, name }: Pick<ReceivedCommand, 'id' | 'name'>, result: CommandResult): Promise<void> {
    const answer = doneText(id, result);
    const isKept = !MAY_TELL_KEYS.test(name) && Buffer.byteLength(answer) <= KEPT_ANSWER;
    const text = JSON.stringify({ id, state: 'done', answer: isKept ? answer : undefined });
    await this.#write(`${id}:done`, async () => text);
    const packed = this.#packed.get(id);
    this.#packed.delete(id);
    if (packed !== undefined) dropText(this.#engine, packed);
  }

  close(): void {
    this.#end.abort();
  }

  async #write(id: string, text: () => Promise<string>): Promise<void> {
    const epoch = this.#epoch;
    const { session, series } = epoch;
    const write = async () => {
      const written = await text();
      await epoch.confirm?.();
      const { sequence } = epoch;
      await this.#engine.logs.append({ session, part: 'commands' }, written, {
        id: `${session}:${sequence}:${series}:${id}`,
        epoch: sequence,
      });
    };
    const isFinal = refusalIsFinal(this.#engine, this.#epoch);
    const how = await persist(write, { clock: this.#clock, signal: this.#end.signal, isFinal });
    if (how !== 'done') throw fenced(session, undefined);
  }

  /** A record that was too long for a message; if it is gone, nobody knows what the command was. */
  async #unpacked(id: string, packed: string): Promise<unknown> {
    const record: unknown = JSON.parse(await unpackText(this.#engine, packed));
    return isObject(record) && record.id === id ? record : undefined;
  }

  #note(record: unknown): void {
    if (!isObject(record) || typeof record.id !== 'string') return;
    const { id, state, answer, packed } = record;
    if (typeof packed === 'string') this.#packed.set(id, packed);
    if (state === 'done') this.#packed.delete(id);
    const command = isObject(record.command) ? (record.command as unknown as KeptCommand) : undefined;
    const known = this.#earlier.get(id);
    if (state === 'done') {
      this.#earlier.set(id, { ...known, done: String(answer ?? '') });
      this.#unanswered.delete(id);
    } else {
      this.#earlier.set(id, { ...known, command });
      if (command !== undefined) this.#unanswered.set(id, command);
    }
  }
}

/** The answers to these may contain keys, in settings and in configurations of MCP servers. */
const MAY_TELL_KEYS = /^(?:control$|mcp\.)/;
/** Longer answers are not kept for a caller that asks another owner again. */
const KEPT_ANSWER = 16 * 1024;
