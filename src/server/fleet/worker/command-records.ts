import { isObject } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { Commander, ReceivedCommand } from '../../console/commands/command.js';
import type { Engine } from '../engine/engine.js';
import { type Epoch, fenced, underEpoch } from '../engine/epochs.js';
import { persist } from '../engine/persist.js';
import { mostBytes } from '../log/batches.js';

/** A command that an earlier owner accepted. */
export interface EarlierCommand {
  /** Its answer, if there is one. */
  readonly done?: string | undefined;
  /** The command itself, if it can run now in case it never did. */
  readonly command?: KeptCommand | undefined;
}

/** A command with its sender. */
export interface KeptCommand extends ReceivedCommand {
  readonly by: Commander;
}

const KEPT = 10_000;
const AT_ONCE = 256;

/** A conversation's accepted commands, stored in the engine before they run. */
export class CommandRecords {
  readonly #engine: Engine;
  readonly #epoch: Epoch;
  readonly #clock: Clock;
  readonly #earlier = new RecentMap<string, EarlierCommand>(KEPT);
  readonly #unanswered = new Map<string, KeptCommand>();
  readonly #end = new AbortController();

  constructor(engine: Engine, epoch: Epoch, clock: Clock) {
    this.#engine = engine;
    this.#epoch = epoch;
    this.#clock = clock;
  }

  /** Reads what earlier owners accepted. */
  async learn(): Promise<void> {
    const { jsm, names } = this.#engine;
    const { session } = this.#epoch;
    const stream = names.streamOf(session);
    const subject = names.commands(session);
    const end = await jsm.streams.getMessage(stream, { last_by_subj: subject });
    for (let next = 1; end !== null && next <= end.seq; ) {
      const before = next;
      const options = { seq: next, next_by_subj: subject, batch: AT_ONCE };
      for await (const message of await jsm.direct.getBatch(stream, options)) {
        next = message.seq + 1;
        this.#note(message.json());
      }
      if (next === before) return;
    }
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
    const text = JSON.stringify({ id, name, state: 'accepted', command: kept });
    const isLong = Buffer.byteLength(text) > mostBytes(this.#engine);
    return this.#write(`${id}:accepted`, isLong ? JSON.stringify({ id, name, state: 'accepted' }) : text);
  }

  /** Records a command's result. */
  async done(id: string, answer: string): Promise<void> {
    const isLong = Buffer.byteLength(answer) > KEPT_ANSWER;
    await this.#write(
      `${id}:done`,
      JSON.stringify({ id, state: 'done', answer: isLong ? undefined : answer }),
    );
  }

  close(): void {
    this.#end.abort();
  }

  async #write(id: string, text: string): Promise<void> {
    const { session, sequence } = this.#epoch;
    const write = () =>
      this.#engine.js.publish(this.#engine.names.commands(session), text, {
        msgID: `${session}:${sequence}:${id}`,
        expect: underEpoch(this.#engine, this.#epoch),
      });
    const how = await persist(write, { clock: this.#clock, signal: this.#end.signal });
    if (how !== 'done') throw fenced(session, undefined);
  }

  #note(record: unknown): void {
    if (!isObject(record) || typeof record.id !== 'string') return;
    const { id, state, answer } = record;
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

/** Longer answers are not kept for a caller that asks another owner again. */
const KEPT_ANSWER = 16 * 1024;
