import type { Done } from '../../../entry/remote/contract.js';
import { type Clock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds, openShape } from '../../../wire/util/option-checks.js';
import type { Commander, ReceivedCommand } from '../../console/commands/command.js';
import { CommandMemory } from '../../console/commands/command-memory.js';
import {
  type CommandResult,
  doneText,
  failed,
  isClear,
  succeeded,
} from '../../console/commands/command-result.js';
import { findCommand } from '../../console/commands/command-table.js';
import { isWithoutCli } from '../../conversation/states.js';
import { addresses, type BusMessage, type Engine } from '../engine/engine.js';
import { type Epoch, endEpoch, fenced, lookAtEpoch } from '../engine/epochs.js';
import { packText, unpackText } from '../engine/long-texts.js';
import { LATE_MS, persist } from '../engine/persist.js';
import { commandKind, sentObject } from '../engine/sent-object.js';
import { removeBlobs } from '../log/blobs.js';
import { LogMirror } from '../log/log-mirror.js';
import { ANYWHERE, type FleetRecord, isLive, type Place, withoutSecrets } from '../record.js';
import { CommandRecords, type KeptCommand } from './command-records.js';
import { GatewayViewers } from './gateway-viewers.js';
import { RecordKeeper } from './record-keeper.js';
import type { OwnedSession } from './worker-source.js';

/** The dependencies of an {@link OwnedConversation}. */
export interface OwnedParts {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly worker: string;
  readonly epoch: Epoch;
  /** The name of the numbers of its events. */
  readonly series: string;
  /** The previous record of the conversation, and its revision. */
  readonly left: { readonly record: FleetRecord | undefined; readonly revision: number };
  readonly place?: Place | undefined;
  /** The disk of this worker's transcripts. */
  readonly disk: () => string | undefined;
  /** Runs a command; never rejects. */
  readonly run: (command: ReceivedCommand, by: Commander) => Promise<CommandResult>;
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
  readonly #memory = new CommandMemory<Answer>((answer) => answer !== NOTHING && isClear(answer));
  readonly #viewers: GatewayViewers;
  readonly #serving = new Map<string, Promise<string | typeof NOTHING>>();
  readonly #place: Place;
  /** Commands wait until the conversation is as its earlier owner left it, and its CLI starts if it needs one. */
  readonly #ready = deferred<void>();
  /** Messages wait until those of the earlier owner are sent. */
  readonly #caughtUp = deferred<void>();
  #session: OwnedSession | undefined;
  #mirror: LogMirror | undefined;
  #unsubscribe: () => void = () => {};
  #starts: number;
  #opening: Promise<Answer> | undefined;
  #wasBusy = false;
  /** From the beginning: a record that says "parked" while it is being restored would keep everyone from going on. */
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
    this.#starts = startsAfter(left.record);
    this.#isStarting = left.record !== undefined && isLive(left.record);
    this.#records = new CommandRecords(engine, epoch, clock);
    this.#viewers = new GatewayViewers(clock, (by) => this.#session?.viewersChanged(by));
    this.#keeper = new RecordKeeper({
      engine,
      epoch,
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

  get session(): OwnedSession | undefined {
    return this.#session;
  }

  /** Reads what was accepted before, and takes commands from now on. @throws CoxswainError `FLEET_FENCED` if it is over. */
  async listen(): Promise<void> {
    await this.#records.learn();
    this.check();
    const { bus } = this.#parts.engine;
    this.#unsubscribe = bus.subscribe(addresses.owner(this.id), (message) => this.#serve(message));
    // Tell the engine before anyone learns that this worker owns the conversation.
    await bus.flush();
    this.check();
  }

  /** Called when the conversation is new, or does what its earlier owner had accepted: everything runs from now on. */
  ready(): void {
    if (this.#isStarting) {
      this.#isStarting = false;
      this.#keeper.changed();
    }
    this.#ready.resolve();
    this.#caughtUp.resolve();
  }

  /** @throws CoxswainError `FLEET_FENCED` if it was closed meanwhile: nobody would close what is started now. */
  check(): void {
    if (this.#over) throw fenced(this.id, undefined);
  }

  /** Called when the session exists: everything in its log from this number on goes to the engine. */
  attach(session: OwnedSession, from: number): void {
    if (this.#session !== undefined) return;
    const { engine, epoch, series, clock } = this.#parts;
    this.#session = session;
    for (let viewers = 0; viewers < this.#viewers.size; viewers += 1) session.viewersChanged(1);
    const onFenced = () => this.#fenced();
    const onLate = () => session.note('error', 'STORE_FAILED', NOT_STORED);
    const onUnread = () => session.note('error', 'STORE_FAILED', NOT_READ);
    const { log } = session;
    const onLost = (first: number, last: number) => {
      session.note('warning', 'FLEET_LOG_LOST', lostText(first, last));
      this.#keeper.rewrite();
    };
    const told = { onFenced, onLate, onUnread, onLost };
    this.#mirror = new LogMirror({ engine, epoch, series, log, clock, from, ...told });
    // Closed while the session was restored: nobody would close this.
    if (this.#over) this.#mirror.close();
    this.#keeper.changed();
  }

  /** Called when there is a new connection to the engine: its store may be older than before. */
  async verify(): Promise<void> {
    const { engine, epoch } = this.#parts;
    const before = epoch.sequence;
    const how = await lookAtEpoch(engine, epoch, 0);
    if (how === 'over') this.#fenced();
    if (epoch.sequence !== before) this.#keeper.rewrite();
    this.#mirror?.verify();
  }

  /** If the engine lags so far that the CLI has to wait, resolves when it has caught up. */
  pace(most: number): Promise<void> | undefined {
    const mirror = this.#mirror;
    return mirror !== undefined && mirror.charactersBehind > most ? mirror.flushed() : undefined;
  }

  /** Resolves when the engine has the log so far, with false if it refuses. */
  async whenStored(): Promise<boolean> {
    if (this.#session === undefined || this.isLeaving) return false;
    const n = this.#session.log.last;
    await this.#mirror?.flushed();
    return !this.isLeaving && (this.#mirror?.kept ?? 0) >= n;
  }

  /** Called when something in the summary has changed. */
  changed(): void {
    const state = this.#session?.state;
    // A conversation that completes a turn does not kill its workers.
    if (state === 'idle' && this.#wasBusy) this.#starts = 0;
    this.#wasBusy = state === 'running' || (this.#wasBusy && state === 'needs-you');
    this.#keeper.changed();
  }

  /**
   * Does something that starts the CLI, unless the next owner does. The engine is told first, so a conversation that kills
   * its workers is counted.
   */
  async starting<Value>(start: () => Promise<Value>): Promise<Value | undefined> {
    this.#isStarting = true;
    try {
      await this.#keeper.write();
      if (this.isLeaving) return undefined;
      const started = start();
      // The CLI may wait for a slot; most commands do not need it.
      this.#ready.resolve();
      return await started;
    } finally {
      this.#isStarting = false;
      this.#keeper.changed();
    }
  }

  /** Resends what earlier owners accepted and what is not in the log. */
  async finishEarlier(isKnown: (uuid: string) => boolean): Promise<void> {
    for (const command of this.#records.unanswered) {
      // The next owner does the rest.
      if (this.isLeaving) return;
      const answer = this.#unlessFenced(this.#finish(command, isKnown(command.id)));
      this.#memory.keep(command.id, answer);
      await answer;
    }
  }

  async #finish(command: KeptCommand, isSent: boolean): Promise<CommandResult> {
    const answer = isSent ? sentAlready(command) : await this.#act(command, command.by);
    // It may not be stored: the next owner does it, and answers.
    if (this.isLeaving) throw fenced(this.id, undefined);
    await this.#keepAnswer(command, answer);
    return answer;
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

  /** Parks the conversation for good. A command that comes meanwhile is the last one here; later ones find the next owner. */
  async parked(park: () => Promise<void>): Promise<void> {
    // What an earlier owner accepted is not in the session yet: a parked conversation would keep it until somebody asks.
    await this.#caughtUp.promise;
    await park();
    this.#unsubscribe();
    // It may have been accepted, and wait for the engine to say so.
    await Promise.allSettled(this.#serving.values());
    await park();
  }

  /** Whether it may be gone soon: it is being removed, or opened. */
  get isRemoving(): boolean {
    return this.#removing;
  }

  /** Releases the conversation: its record says that nobody owns it. */
  async release(): Promise<void> {
    if (this.#removing) return;
    this.#unsubscribe();
    await this.#mirror?.flushed();
    this.#released = true;
    await this.#keeper.write();
    this.close();
  }

  close(): void {
    this.#end.abort();
    this.#parts.epoch.giveUp?.();
    this.#unsubscribe();
    this.#mirror?.close();
    this.#keeper.close();
    this.#records.close();
    this.ready();
    this.#viewers.close();
  }

  /** Whether another worker may own it, or will. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Whether it will soon have a CLI. */
  get isStarting(): boolean {
    return this.#isStarting && !this.#over;
  }

  get #over(): boolean {
    return this.#end.signal.aborted;
  }

  /** Whether nothing that happens now is stored: the next owner does what was accepted. */
  get isLeaving(): boolean {
    return this.#over || this.#released || this.#frozen !== undefined;
  }

  /** Whether there is no such conversation, and nobody opens it. */
  get #isUnknown(): boolean {
    const isHere = this.#session !== undefined || this.#opening !== undefined;
    return !isHere && this.#parts.left.record === undefined && this.#records.isFirst;
  }

  get #record(): FleetRecord | undefined {
    // Until the CLI has ended, the conversation is still owned. A worker that releases it has not died of it.
    if (this.#frozen !== undefined)
      return this.#released
        ? { ...this.#frozen, worker: undefined, starts: Math.max(0, this.#starts - 1) }
        : this.#frozen;
    if (this.#session === undefined) return undefined;
    const { epoch, worker } = this.#parts;
    const { summary, opened } = this.#session;
    // Until everything that was accepted is done, nobody would take over a conversation that needs no CLI.
    const isStarting = this.#isStarting && isWithoutCli(summary.state);
    return {
      format: 1,
      epoch: epoch.sequence,
      worker: this.#released ? undefined : worker,
      summary: isStarting ? { ...summary, state: 'starting' } : summary,
      opened: withoutSecrets(opened),
      place: this.#place,
      disk: this.#parts.disk(),
      log: this.#mirror?.stored ?? this.#parts.left.record?.log,
      starts: this.#starts,
    };
  }

  #fenced(): void {
    if (this.#over || this.#isEnded) return;
    this.#isFenced = true;
    this.close();
    this.#parts.onFenced(this.id);
  }

  async #serve(message: BusMessage): Promise<void> {
    const { engine } = this.#parts;
    const text = await unpackText(engine, message.text);
    const sent = sentObject(text, openShape({}));
    if ('blob' in sent) return message.respond(doneText('', failed(unclear(GONE))));
    if (!('by' in sent)) return this.#hear(sentObject(text, toldKind) as unknown as Told);
    const { by, ...command } = sentObject(text, commandKind) as unknown as KeptCommand;
    const answer = await this.#answerOnce(command, by);
    // A former owner does not answer: the caller finds the next one.
    if (answer !== NOTHING && !this.#isFenced) message.respond(answer);
  }

  /** A caller that asks again while its command runs waits for the same answer, however long that takes. */
  #answerOnce(command: ReceivedCommand, by: Commander): Promise<string | typeof NOTHING> {
    const known = this.#serving.get(command.id);
    if (known !== undefined) return known;
    const packed = (answer: Answer) =>
      answer === NOTHING ? NOTHING : packText(this.#parts.engine, doneText(command.id, answer));
    const answering = this.#answer(command, by)
      .then<string | typeof NOTHING>(packed)
      .finally(() => this.#serving.delete(command.id));
    this.#serving.set(command.id, answering);
    return answering;
  }

  /** Notifications from a gateway. */
  #hear(told: Told): void {
    if (told.name === 'owner') this.#session?.ownerChanged(told.connected);
    else if (told.name === 'viewers') this.#viewers.heard(told.gateway, told.viewers);
  }

  #answer(command: ReceivedCommand, by: Commander): Promise<Answer> {
    if (findCommand(command.name)?.acts === false) return this.#parts.run(command, by);
    const known = this.#memory.find(command.id);
    if (known !== undefined) return known;
    // Two programs may open the conversation at the same moment.
    if (command.name === 'open' && this.#opening !== undefined) return this.#opening;
    const earlier = this.#records.earlier(command.id);
    if (earlier?.done !== undefined && earlier.done !== '')
      return Promise.resolve(JSON.parse(earlier.done) as Done);
    // An accepted command runs before anything else, unless its message is in the log.
    if (earlier?.command !== undefined)
      return this.#caughtUp.promise.then(() => this.#memory.find(command.id) ?? this.#begin(command, by));
    const mayRun = command.name === 'open' && this.#session === undefined;
    if (earlier !== undefined && !mayRun) return Promise.resolve(interrupted(command));
    return this.#begin(command, by);
  }

  #begin(command: ReceivedCommand, by: Commander): Promise<Answer> {
    const answer = this.#unlessFenced(this.#accept(command, by));
    this.#memory.keep(command.id, answer);
    if (command.name === 'open') this.#noteOpening(answer);
    return answer;
  }

  #unlessFenced(answer: Promise<CommandResult>): Promise<Answer> {
    return answer.catch((error: unknown): Answer => {
      const code = errorCode(error);
      if (code === 'STORE_FAILED') return failed(error);
      if (code === 'FLEET_FENCED' && !this.isLeaving) this.#fenced();
      // The next owner has a better answer.
      return code === 'FLEET_FENCED' || this.isLeaving ? NOTHING : failed(unclear(errorText(error), error));
    });
  }

  #noteOpening(answer: Promise<Answer>): void {
    this.#opening = answer;
    void answer.then(() => {
      this.#opening = undefined;
    });
  }

  async #accept(command: ReceivedCommand, by: Commander): Promise<CommandResult> {
    await this.#store(command, by);
    await (command.name === 'send' ? this.#caughtUp : this.#ready).promise;
    if (this.isLeaving) throw fenced(this.id, undefined);
    const isOpening = command.name === 'open' && this.#session === undefined;
    const mayGo = isOpening || command.name === 'remove';
    this.#removing ||= mayGo;
    const answer = await this.#act(command, by);
    // Its CLI was ended meanwhile, so the answer says nothing: the next owner has a better one.
    if (this.isLeaving) throw fenced(this.id, undefined);
    // A conversation that could not be opened, or was removed before, is useless.
    if (answer.ok ? command.name === 'remove' : isOpening || this.#isUnknown) await this.#remove();
    else {
      if (mayGo) this.#removing = false;
      await this.#keepAnswer(command, answer);
    }
    return answer;
  }

  /** @throws CoxswainError `STORE_FAILED` if the engine does not store the command in time: then it never runs. */
  async #store(command: ReceivedCommand, by: Commander): Promise<void> {
    const storing = this.#records.accept(command, by);
    if (await within(storing, LATE_MS, this.#parts.clock)) return storing;
    const error = new CoxswainError('STORE_FAILED', `"${command.name}" was not run: ${NOT_STORED}`);
    // It may be stored later, and the next owner would run it.
    storing.then(() => this.#records.done(command, failed(error))).catch(() => {});
    throw error;
  }

  /** Records an answer once the engine has the effects of the command: until then, the next owner would run it again. */
  async #done(command: ReceivedCommand, answer: CommandResult): Promise<void> {
    await this.#mirror?.flushed();
    if (this.isLeaving) throw fenced(this.id, undefined);
    await this.#records.done(command, answer);
  }

  /** Records an answer. A refusal waits for that: the log shows the next owner what was done, and nothing of what was refused. */
  async #keepAnswer(command: ReceivedCommand, answer: CommandResult): Promise<void> {
    const recording = this.#done(command, answer);
    if (!answer.ok) return recording;
    // Without it, the next owner finds in the log that it was done.
    recording.catch(() => {});
  }

  /** Runs a command; resolves when its changes are in the engine. */
  async #act(command: ReceivedCommand, by: Commander): Promise<CommandResult> {
    const run = () => this.#parts.run(command, by);
    const mayStart = this.#session?.isOpen === false && STARTS.has(command.name);
    const answer = mayStart ? await this.starting(run) : await run();
    if (answer === undefined) throw fenced(this.id, undefined);
    if (command.name === 'open' || command.name === 'reopen') await this.#keeper.write();
    else await this.#flushedInTime(command);
    return answer;
  }

  /**
   * Whoever gets the answer finds in the log what the command did.
   * @throws CoxswainError `STORE_FAILED` if the engine answers, and does not store that in time.
   */
  async #flushedInTime({ name }: ReceivedCommand): Promise<void> {
    const { engine, clock } = this.#parts;
    const flushing = this.#mirror?.flushed() ?? Promise.resolve();
    while (!(await within(flushing, LATE_MS, clock))) {
      // A message is stored as accepted: it runs in any case, and its sender asks again until it is in the log.
      if (name === 'send') continue;
      // If the engine is away, no answer reaches the caller either.
      if (engine.isConnected())
        throw new CoxswainError(
          'STORE_FAILED',
          `"${name}" was run, but what it changed is not stored yet: ${NOT_STORED}`,
        );
    }
  }

  /** Removes everything of the conversation, unless another worker has it: then the caller finds that one. */
  async #remove(): Promise<void> {
    const { engine, epoch, clock, onDeleted, onGone } = this.#parts;
    const again = { clock, signal: this.#end.signal };
    this.#isEnded = true;
    epoch.giveUp?.();
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
    await persist(() => engine.logs.remove(this.id, end + 1), again);
    this.close();
    onGone(this.id);
  }
}

/** How many workers in a row have had a conversation, and died while its CLI ran, counting its next owner as one of them. */
function startsAfter(left: FleetRecord | undefined): number {
  return left === undefined ? 1 : Math.max(1, left.starts + (isLive(left) ? 1 : 0));
}

/** The commands that start the CLI of a conversation that has none. */
const STARTS: ReadonlySet<string> = new Set(['open', 'reopen', 'send', 'answer', 'schedule']);

/** A former owner has no answer: the caller asks the next one. */
const NOTHING = Symbol('no answer');
type Answer = CommandResult | typeof NOTHING;

/** The result of a message that is in the log. */
function sentAlready({ id }: ReceivedCommand): CommandResult {
  return succeeded({ uuid: id });
}

/** The result of a command that an earlier owner had started. */
function interrupted({ name }: ReceivedCommand): CommandResult {
  const message = `The worker that started "${name}" is gone; the conversation's log shows how far it got.`;
  return failed(new CoxswainError('FLEET_INTERRUPTED', message));
}

/** The result of a command of which this owner cannot tell whether it ran. */
function unclear(why: string, cause?: unknown): CoxswainError {
  const message = `Nobody can tell whether the command ran. Send it again with the same id: it runs once at most, and the answer says its outcome. ${why}`;
  return new CoxswainError('FLEET_UNANSWERED', message, { cause });
}

const GONE = 'NATS has lost its text, which was too long for a message.';
const NOT_STORED =
  'NATS answers, but has stored nothing of this conversation for 20 seconds. Check the disks of its servers, and restart a server whose disk was full.';

function lostText(first: number, last: number): string {
  return `NATS had lost the events ${first} to ${last} of this conversation, which it had acknowledged: its store is an older copy. They are stored again. Check its disks, and how it was restored.`;
}

const NOT_READ =
  'The events of this conversation on the disk of its worker cannot be read for 20 seconds. Check the state folder of the worker.';

/** From gateways: whether the program that opened it is connected, and the number of viewers there. */
type Told =
  | { readonly name: 'owner'; readonly connected: boolean }
  | { readonly name: 'viewers'; readonly gateway: string; readonly viewers: number };

const toldKind = openShape(
  { name: kinds.text },
  { connected: kinds.flag, gateway: kinds.text, viewers: kinds.count },
);
