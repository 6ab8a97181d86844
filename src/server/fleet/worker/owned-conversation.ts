import type { Msg, Subscription } from '@nats-io/transport-node';
import { type Clock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorCode } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Commander, ReceivedCommand } from '../../console/commands/command.js';
import { CommandMemory } from '../../console/commands/command-memory.js';
import { isReading } from '../../console/commands/command-runner.js';
import type { ConsoleSession } from '../../console/sessions/console-session.js';
import type { Engine } from '../engine/engine.js';
import { type Epoch, endEpoch, fenced } from '../engine/epochs.js';
import { packText, unpackText } from '../engine/long-texts.js';
import { LATE_MS, persist } from '../engine/persist.js';
import { removeBlobs } from '../log/blobs.js';
import { LogMirror } from '../log/log-mirror.js';
import { ANYWHERE, type FleetRecord, isLive, type Place, withoutSecrets } from '../record.js';
import { answeredTo, failed, interrupted, NOTHING, sentAnswer } from './command-answers.js';
import { CommandRecords } from './command-records.js';
import { GatewayViewers } from './gateway-viewers.js';
import { RecordKeeper } from './record-keeper.js';

/** The dependencies of an {@link OwnedConversation}. */
export interface OwnedParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly worker: string;
  readonly epoch: Epoch;
  /** The previous record of the conversation, and its revision. */
  readonly left: { readonly record: FleetRecord | undefined; readonly revision: number };
  readonly place?: Place | undefined;
  /** Runs a command and returns the answer as JSON. */
  readonly run: (command: ReceivedCommand, by: Commander) => Promise<string>;
  /** Called when nothing of the conversation is left. */
  readonly onGone: (session: string) => void;
  /** Called when another worker owns the conversation: its CLI must end now. */
  readonly onFenced: (session: string) => void;
  /** Called when the conversation was deleted; removes everything else that belongs to it. */
  readonly onDeleted: (conversation: string | undefined) => Promise<void>;
}

/** A conversation that this worker owns: its log and its record go to the engine, and its commands come from there. */
export class OwnedConversation {
  readonly id: string;
  readonly #parts: OwnedParts;
  readonly #records: CommandRecords;
  readonly #keeper: RecordKeeper;
  readonly #memory = new CommandMemory();
  readonly #viewers: GatewayViewers;
  readonly #serving = new Map<string, Promise<string>>();
  readonly #place: Place;
  /** Commands wait until the state of the earlier owner is restored. */
  readonly #ready = deferred<void>();
  #session: ConsoleSession | undefined;
  #mirror: LogMirror | undefined;
  #subscription: Subscription | undefined;
  #starts: number;
  #opening: Promise<string> | undefined;
  #wasBusy = false;
  /** From the beginning: a record that says "ended" while it is being restored would keep everyone from going on. */
  #isStarting: boolean;
  #released = false;
  #removing = false;
  /** Whether it is removed for good: what was under way is refused then. */
  #isEnded = false;
  #frozen: FleetRecord | undefined;
  readonly #end = new AbortController();
  #isFenced = false;

  constructor(parts: OwnedParts) {
    const { engine, epoch, clock, left } = parts;
    this.id = epoch.session;
    this.#parts = parts;
    this.#place = left.record?.place ?? parts.place ?? ANYWHERE;
    this.#starts = (left.record?.starts ?? 0) + 1;
    this.#isStarting = left.record !== undefined && isLive(left.record);
    this.#records = new CommandRecords(engine, epoch, clock);
    this.#viewers = new GatewayViewers(clock, (by) => this.#session?.viewersChanged(by));
    this.#keeper = new RecordKeeper({
      engine,
      session: epoch.session,
      epoch: epoch.sequence,
      clock,
      left,
      record: () => this.#record,
      flushed: () => this.#mirror?.flushed(),
      onFenced: () => this.#fenced(),
    });
  }

  get epoch(): number {
    return this.#parts.epoch.sequence;
  }

  get session(): ConsoleSession | undefined {
    return this.#session;
  }

  /** Reads what was accepted before, and takes commands from now on. */
  async listen(): Promise<void> {
    await this.#records.learn();
    const { engine } = this.#parts;
    this.#subscription = engine.connection.subscribe(engine.names.control(this.id), {
      callback: (error, message) => {
        // If the engine is unreachable, the caller asks again.
        if (error === null) this.#serve(message).catch(() => {});
      },
    });
    // Tell the engine before anyone learns that this worker owns the conversation.
    await engine.connection.flush();
  }

  /** Called when the conversation is new, or restored to the state of its earlier owner: commands run from now on. */
  ready(): void {
    this.#ready.resolve();
  }

  /** Called when the session exists: everything in its log from this number on goes to the engine. */
  attach(session: ConsoleSession, from: number): void {
    if (this.#session !== undefined) return;
    const { engine, epoch, clock } = this.#parts;
    this.#session = session;
    for (let viewers = 0; viewers < this.#viewers.size; viewers += 1) session.viewersChanged(1);
    const onFenced = () => this.#fenced();
    const onLate = () => session.note('error', 'STORE_FAILED', NOT_STORED);
    this.#mirror = new LogMirror({ engine, epoch, log: session.log, clock, from, onFenced, onLate });
    this.#keeper.changed();
  }

  /** If the engine lags so far that the CLI has to wait, resolves when it has caught up. */
  pace(most: number): Promise<void> | undefined {
    const mirror = this.#mirror;
    return mirror !== undefined && mirror.charactersBehind > most ? mirror.flushed() : undefined;
  }

  /** Called when something in the summary has changed. */
  changed(): void {
    const state = this.#session?.state;
    // A conversation that completes a turn does not kill its workers.
    if (state === 'idle' && this.#wasBusy) this.#starts = 0;
    this.#wasBusy = state === 'running' || (this.#wasBusy && state === 'needs-you');
    this.#keeper.changed();
  }

  /** Restarts the CLI. The engine is told first, so a conversation that kills its workers is counted. */
  async starting(start: () => Promise<unknown>): Promise<void> {
    this.#isStarting = true;
    try {
      await this.#keeper.write();
      await start();
    } finally {
      this.#isStarting = false;
      this.#keeper.changed();
    }
  }

  /** Resends what earlier owners accepted and what is not in the log. */
  async finishEarlier(isKnown: (uuid: string) => boolean): Promise<void> {
    for (const command of this.#records.unanswered) {
      const isDone = isKnown(command.id);
      const answer = isDone ? Promise.resolve(sentAnswer(command)) : this.#act(command, command.by);
      this.#memory.keep(command.id, answer);
      void this.#done(command, await answer);
    }
  }

  /** Resolves when the engine has the whole log and the record. */
  async flushed(): Promise<void> {
    await this.#mirror?.flushed();
    await this.#keeper.write();
  }

  /** Ignores all events from now on, because the CLI is being ended during its work. */
  freeze(): void {
    this.#frozen = this.#record;
    void this.#session?.log.close().catch(() => {});
  }

  /** Whether the engine has the whole log. */
  get isStored(): boolean {
    return (this.#mirror?.behind ?? 0) <= 0;
  }

  /** Parks the conversation for good. A message that comes meanwhile starts the last turn here; later ones find the next owner. */
  async parked(park: () => Promise<void>): Promise<void> {
    await park();
    this.#subscription?.unsubscribe();
    await park();
  }

  /** Whether it may be gone soon: it is being removed, or opened. */
  get isRemoving(): boolean {
    return this.#removing;
  }

  /** Releases the conversation: its record says that nobody owns it. */
  async release(): Promise<void> {
    if (this.#removing) return;
    this.#subscription?.unsubscribe();
    await this.#mirror?.flushed();
    this.#released = true;
    await this.#keeper.write();
    this.close();
  }

  close(): void {
    this.#end.abort();
    this.#subscription?.unsubscribe();
    this.#mirror?.close();
    this.#keeper.close();
    this.#records.close();
    this.#ready.resolve();
    this.#viewers.close();
  }

  get #over(): boolean {
    return this.#end.signal.aborted;
  }

  /** Whether there is no such conversation, and nobody opens it. */
  get #isUnknown(): boolean {
    const isHere = this.#session !== undefined || this.#opening !== undefined;
    return !isHere && this.#parts.left.record === undefined && this.#records.isFirst;
  }

  get #record(): FleetRecord | undefined {
    if (this.#frozen !== undefined) return { ...this.#frozen, worker: undefined };
    if (this.#session === undefined) return undefined;
    const { epoch, worker } = this.#parts;
    const { summary, opened } = this.#session;
    // Until the CLI runs, the conversation would be listed as ended, and nobody would take it over.
    const isStarting = this.#isStarting && summary.state === 'ended';
    return {
      format: 1,
      epoch: epoch.sequence,
      worker: this.#released ? undefined : worker,
      summary: isStarting ? { ...summary, state: 'starting' } : summary,
      opened: withoutSecrets(opened),
      place: this.#place,
      starts: this.#starts,
    };
  }

  #fenced(): void {
    if (this.#over || this.#isEnded) return;
    this.#isFenced = true;
    this.close();
    this.#parts.onFenced(this.id);
  }

  async #serve(message: Msg): Promise<void> {
    const { engine } = this.#parts;
    const text = await unpackText(engine, message.string());
    const { by, ...command } = JSON.parse(text) as ReceivedCommand & { readonly by?: Commander };
    if (by === undefined) return this.#hear(command as unknown as Told);
    const answer = await this.#answerOnce(command, by);
    // A former owner does not answer: the caller finds the next one.
    if (answer !== NOTHING && !this.#isFenced) message.respond(answer);
  }

  /** A caller that asks again while its command runs waits for the same answer, however long that takes. */
  #answerOnce(command: ReceivedCommand, by: Commander): Promise<string> {
    const known = this.#serving.get(command.id);
    if (known !== undefined) return known;
    const answering = this.#answer(command, by)
      .then((answer) => (answer === NOTHING ? answer : packText(this.#parts.engine, answer)))
      .finally(() => this.#serving.delete(command.id));
    this.#serving.set(command.id, answering);
    return answering;
  }

  /** Notifications from a gateway. */
  #hear(told: Told): void {
    if (told.name === 'owner') this.#session?.ownerChanged(told.connected);
    else if (told.name === 'viewers') this.#viewers.heard(told.gateway, told.viewers);
  }

  #answer(command: ReceivedCommand, by: Commander): Promise<string> {
    if (isReading(command.name)) return this.#parts.run(command, by);
    const known = this.#memory.find(command.id);
    if (known !== undefined) return known;
    // Two programs may open the conversation at the same moment.
    if (command.name === 'open' && this.#opening !== undefined) return answeredTo(command, this.#opening);
    const earlier = this.#records.earlier(command.id);
    if (earlier?.done !== undefined && earlier.done !== '') return Promise.resolve(earlier.done);
    // An accepted command runs before anything else, unless its message is in the log.
    if (earlier?.command !== undefined)
      return this.#ready.promise.then(() => this.#memory.find(command.id) ?? this.#begin(command, by));
    const mayRun = command.name === 'open' && this.#session === undefined;
    if (earlier !== undefined && !mayRun) return Promise.resolve(interrupted(command));
    return this.#begin(command, by);
  }

  #begin(command: ReceivedCommand, by: Commander): Promise<string> {
    const answer = this.#accept(command, by).catch((error: unknown) => {
      if (errorCode(error) === 'FLEET_FENCED') this.#fenced();
      return errorCode(error) === 'STORE_FAILED' ? failed(command, error) : NOTHING;
    });
    this.#memory.keep(command.id, answer);
    if (command.name === 'open') this.#noteOpening(answer);
    return answer;
  }

  #noteOpening(answer: Promise<string>): void {
    this.#opening = answer;
    void answer.then(() => {
      this.#opening = undefined;
    });
  }

  async #accept(command: ReceivedCommand, by: Commander): Promise<string> {
    await this.#store(command, by);
    await this.#ready.promise;
    if (this.#over) throw fenced(this.id, undefined);
    const isOpening = command.name === 'open' && this.#session === undefined;
    const mayGo = isOpening || command.name === 'remove';
    this.#removing ||= mayGo;
    const answer = await this.#act(command, by);
    // Its CLI was ended meanwhile, so the answer says nothing: the next owner has a better one.
    if (this.#over) throw fenced(this.id, undefined);
    const { ok } = JSON.parse(answer) as { readonly ok: boolean };
    // A conversation that could not be opened, or was removed before, is useless.
    if (ok ? command.name === 'remove' : isOpening || this.#isUnknown) await this.#remove();
    else {
      if (mayGo) this.#removing = false;
      void this.#done(command, answer);
    }
    return answer;
  }

  /** @throws CoxswainError `STORE_FAILED` if the engine does not store the command in time: then it never runs. */
  async #store(command: ReceivedCommand, by: Commander): Promise<void> {
    const storing = this.#records.accept(command, by);
    if (await within(storing, LATE_MS, this.#parts.clock)) return storing;
    const error = new CoxswainError('STORE_FAILED', `"${command.name}" was not run: ${NOT_STORED}`);
    // It may be stored later, and the next owner would run it.
    storing.then(() => this.#records.done(command, failed(command, error))).catch(() => {});
    throw error;
  }

  /** Records an answer once the engine has the effects of the command: until then, the next owner would run it again. */
  async #done(command: ReceivedCommand, answer: string): Promise<void> {
    await this.#mirror?.flushed();
    if (!this.#over) await this.#records.done(command, answer).catch(() => {});
  }

  /** Runs a command; resolves when its changes are in the engine. */
  async #act(command: ReceivedCommand, by: Commander): Promise<string> {
    const answer = await this.#parts.run(command, by);
    if (command.name === 'open' || command.name === 'reopen') await this.#keeper.write();
    return answer;
  }

  /** Removes everything of the conversation, unless another worker has it: then the caller finds that one. */
  async #remove(): Promise<void> {
    const { engine, epoch, clock, onDeleted, onGone } = this.#parts;
    const { names, jsm } = engine;
    const again = { clock, signal: this.#end.signal };
    this.#isEnded = true;
    this.#mirror?.close();
    const end = await endEpoch(engine, epoch, again).catch((error: unknown) => {
      this.#isEnded = false;
      throw error;
    });
    // Something that cannot be removed now must not keep the conversation in the list.
    await onDeleted(this.#session?.summary.conversation).catch(() => {});
    await removeBlobs(engine, this.id).catch(() => {});
    await persist(() => this.#keeper.delete(), again);
    // Somebody may have opened it again.
    const own = { filter: names.everything(this.id), seq: end + 1 };
    await persist(() => jsm.streams.purge(names.streamOf(this.id), own), again);
    this.close();
    onGone(this.id);
  }
}

const NOT_STORED =
  'NATS answers, but has stored nothing of this conversation for 20 seconds. Check the disks of its servers, and restart a server whose disk was full.';

/** From gateways: whether the program that opened it is connected, and the number of viewers there. */
type Told =
  | { readonly name: 'owner'; readonly connected: boolean }
  | { readonly name: 'viewers'; readonly gateway: string; readonly viewers: number };
