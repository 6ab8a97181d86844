import type { QueuedEvent } from '../../../entry/remote/contract.js';
import type { Deadline } from '../../../wire/transport/process/deadlines.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { errorText } from '../../../wire/util/error-text.js';
import type { Commander } from '../../console/commands/command.js';
import { type CommandResult, doneText, failed } from '../../console/commands/command-result.js';
import { CommandRunner } from '../../console/commands/command-runner.js';
import type { AuditLog } from '../../console/keys/audit-log.js';
import type { LogEntry } from '../../console/log/entry.js';
import { LoggedPrompts } from '../../console/sessions/logged-prompts.js';
import { LoggedMessages } from '../../conversation/logged-messages.js';
import { fateOutcome } from '../../conversation/message-fate.js';
import { messageIn } from '../../manager/conversations/queued-message.js';
import { addresses, type BusMessage, type Engine, EngineError } from '../engine/engine.js';
import { endEpoch, fenced, lastEpoch } from '../engine/epochs.js';
import { HeldEpoch } from '../engine/held-epoch.js';
import { packText, unpackText } from '../engine/long-texts.js';
import { commandKind, sentObject } from '../engine/sent-object.js';
import { StoredLog } from '../log/stored-log.js';
import { roomOf } from '../placement/choose-worker.js';
import { PlacerElection } from '../placement/placer-election.js';
import type { FleetRecord, Place } from '../record.js';
import type { CarriedState, FleetCommand } from './carried-state.js';
import { claim } from './claim.js';
import type { KeptCommand } from './command-records.js';
import { goneText } from './gone-text.js';
import { OwnedConversation } from './owned-conversation.js';
import { leftRecord } from './record-keeper.js';
import type { Worker } from './start-worker.js';
import { workerFacts } from './worker-facts.js';
import { WorkerLease } from './worker-lease.js';
import type { WorkerFacts, WorkerOptions } from './worker-options.js';
import { notTaken, type WorkerAnswer, workerRequest } from './worker-requests.js';
import type { OwnedSession, WorkerSource } from './worker-source.js';

/** The dependencies of a {@link FleetWorker}. */
export interface FleetWorkerParts {
  readonly id: string;
  readonly engine: Engine;
  readonly options: WorkerOptions;
  readonly audit: Pick<AuditLog, 'add' | 'close'>;
  readonly source: WorkerSource;
  readonly carried: Pick<CarriedState, Exclude<keyof CarriedState, 'saveLeft' | 'clean'>>;
  /** Even a suspended process does not keep its CLIs longer than its lease. */
  readonly deadline: Deadline;
  /** Where the worker stores its current conversations. */
  readonly folder: WorkerFolder;
}

/** The folder of a worker on its disk. */
export interface WorkerFolder {
  remove(): Promise<void>;
  /** Lets the next worker on this machine finish what is left in the folder. */
  unlock(): void;
}

/** The default lease. A cluster takes up to nine seconds to choose a leader, and cannot renew leases meanwhile. */
const LEASE_S = 15;

/** How far the engine may lag before a CLI has to wait: the log on disk has room for more. */
const SPOOL = 16 * 1024 * 1024;

/** How long it may take to tell the engine that a conversation is released. */
const RELEASE_MS = 5_000;

/** How long a take-over may take: a large workspace is cloned in this time. */
const TAKE_MS = 5 * 60_000;

/** A worker: it owns conversations and their CLIs, and only makes outgoing connections. */
export class FleetWorker implements Worker {
  readonly id: string;
  /** Resolves when its lease is lost and its CLIs have ended. */
  readonly lost: Promise<void>;
  readonly #lost = deferred<void>();
  readonly #engine: Engine;
  readonly #options: WorkerOptions;
  readonly #clock: Clock;
  readonly #folder: WorkerFolder;
  readonly #source: WorkerSource;
  readonly #runner: CommandRunner;
  readonly #audit: FleetWorkerParts['audit'];
  readonly #deadline: Deadline;
  readonly #carried: FleetWorkerParts['carried'];
  readonly #lease: WorkerLease;
  readonly #election: PlacerElection;
  readonly #owned = new Map<string, OwnedConversation>();
  /** Conversations that are being removed or released: NATS may be away, so that takes a while. */
  readonly #going = new Set<OwnedConversation>();
  readonly #taking = new Map<string, Promise<WorkerAnswer>>();
  /** Conversations that another worker has taken, until nothing of them is left here. */
  readonly #leaving = new Map<string, Promise<void>>();
  #draining = false;
  /** Whether all slots were taken, as far as others know. */
  #wasFull = false;
  /** Whether the engine has all events of conversations that were here. */
  #isStored = true;
  #closing: Promise<void> | undefined;
  /** The engine's count of connections when its store was last compared. */
  #connections: number;

  constructor(parts: FleetWorkerParts) {
    const { id, engine, options, folder, audit, source, carried, deadline } = parts;
    this.id = id;
    this.lost = this.#lost.promise;
    this.#engine = engine;
    this.#connections = engine.connections();
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#folder = folder;
    this.#deadline = deadline;
    this.#audit = audit;
    this.#source = source;
    const { allowBypass = false } = options;
    this.#runner = new CommandRunner({ sessions: source.sessions, audit, allowBypass, run: source.run });
    this.#carried = carried;
    const { leaseSeconds: seconds = LEASE_S } = options;
    this.#lease = new WorkerLease({
      engine,
      worker: id,
      seconds,
      clock: this.#clock,
      facts: () => this.#toldFacts(),
      onRenewed: (ms) => {
        this.#deadline.extend(ms);
        this.#verify();
      },
      onLost: () => {
        const losing = this.#loseAll();
        this.#closing ??= losing;
      },
    });
    this.#election = new PlacerElection({ engine, worker: id, seconds, clock: this.#clock });
  }

  get facts(): WorkerFacts {
    const { sessions } = this;
    const { roots } = this.#source;
    const { disk } = this.#carried;
    const [worker, used, draining] = [this.id, this.#used, this.#draining];
    return workerFacts(this.#options, { worker, used, draining, roots, disk, sessions });
  }

  #toldFacts(): WorkerFacts {
    const { facts } = this;
    this.#wasFull = roomOf(facts) <= 0;
    return facts;
  }

  /** The engine's servers may have lost something with each connection. */
  #verify(): void {
    const connections = this.#engine.connections();
    if (connections === this.#connections) return;
    this.#connections = connections;
    // If the engine is away again, the next connection does this.
    for (const owned of this.#owned.values()) owned.verify().catch(() => {});
  }

  /** The conversations that this worker has. */
  get sessions(): readonly OwnedSession[] {
    return this.#source.sessions.all;
  }

  async start(): Promise<void> {
    const { bus } = this.#engine;
    await this.#source.open();
    await this.#lease.start();
    bus.subscribe(addresses.worker(this.id), (message) => this.#asked(message));
    const forAnybody = (message: BusMessage) => this.#runForAnybody(message);
    bus.subscribe(addresses.anyWorker, forAnybody, { queue: 'workers' });
    await bus.flush();
    this.#election.start();
  }

  /**
   * Accepts no more conversations, gives turns this long to end, and releases everything: then it is safe to
   * exit.
   */
  async drain(graceMs = 60_000): Promise<void> {
    this.#draining = true;
    this.#lease.changed();
    await Promise.all([...this.#owned.values()].map((each) => this.#giveUp(each, graceMs)));
    await this.close();
  }

  /** Ends immediately; others continue its conversations. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#draining = true;
    await Promise.all([...this.#owned.values()].map((each) => this.#giveUp(each, 0)));
    await this.#endClis();
    await this.#election.close();
    await this.#lease.end();
    this.#deadline.release();
    await this.#engine.close();
  }

  /** Ends all CLIs. Events that the engine lacks stay on disk for the next worker on this machine. */
  async #endClis(): Promise<void> {
    for (const owned of this.#owned.values()) {
      this.#isStored &&= owned.isStored;
      owned.close();
    }
    for (const going of this.#going) going.close();
    this.#owned.clear();
    await this.#source.sessions.close();
    await this.#audit.close();
    if (this.#isStored) await this.#folder.remove();
    else this.#folder.unlock();
  }

  /** Resolves when the conversation's CLI may send more; undefined if it may now. */
  pace(session: string): Promise<void> | undefined {
    return this.#owned.get(session)?.pace(this.#options.spoolCharacters ?? SPOOL);
  }

  /** Resolves when the engine has the conversation's log so far, with whether this worker still owns it then. */
  async whenStored(session: string): Promise<boolean> {
    const isStored = (await this.#owned.get(session)?.whenStored()) ?? false;
    // The engine may have taken long: another worker may own it by now.
    return isStored && this.#lease.isHeld;
  }

  /** Called when something in a summary has changed. */
  changed(session: OwnedSession): void {
    const owned = this.#owned.get(session.id);
    owned?.attach(session, 1);
    owned?.changed();
    if (owned !== undefined) this.#carried.changed(session, owned);
    // Others may be waiting for a slot.
    if (this.#wasFull && roomOf(this.facts) > 0) this.#lease.changed();
  }

  /** Called when a session is gone from this worker: it was deleted, or was the oldest ended one. */
  removed(session: string): void {
    const owned = this.#owned.get(session);
    this.#owned.delete(session);
    this.#carried.forget(session);
    if (owned?.isRemoving === true) this.#going.add(owned);
    else void owned?.release();
  }

  /** The same as `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Conversations with a CLI, and those that will soon have one. */
  get #used(): number {
    // One that waits for the answer to a deferred call has no CLI.
    const open = this.#source.sessions.all.filter(({ isOpen, state }) => isOpen && state !== 'deferred');
    const starting = [...this.#owned.values()].filter(({ isStarting }) => isStarting);
    return new Set([...[...open, ...starting].map(({ id }) => id), ...this.#taking.keys()]).size;
  }

  #asked(message: BusMessage): void | Promise<void> {
    const request = workerRequest(message.text);
    if (request.ask === 'drain') {
      message.respond('{"ok":true}');
      void this.drain();
      return;
    }
    if (request.ask === 'run') return this.#runHere(message, request.command);
    const taking = this.#taking.get(request.session) ?? this.#take(request.session, request.place);
    this.#taking.set(request.session, taking);
    void taking.then((answer) => {
      this.#taking.delete(request.session);
      message.respond(JSON.stringify(answer));
      this.#lease.changed();
    });
  }

  async #runForAnybody(message: BusMessage): Promise<void> {
    const text = await unpackText(this.#engine, message.text);
    await this.#runHere(message, sentObject(text, commandKind) as unknown as KeptCommand);
  }

  async #runHere(message: BusMessage, { by, ...command }: KeptCommand): Promise<void> {
    const result = await this.#runner.run(command, by);
    message.respond(await packText(this.#engine, doneText(command.id, result)));
  }

  async #take(session: string, place: Place | undefined): Promise<WorkerAnswer> {
    if (this.#owned.get(session)?.isOver === false) return { ok: true, used: this.#used };
    try {
      if (this.#draining || roomOf(this.facts) <= 0) {
        await this.#giveBack(session);
        return { ok: false, why: 'full' };
      }
      await this.#own(session, place);
      return { ok: true, used: this.#used };
    } catch (error) {
      return this.#draining ? { ok: false, why: 'full' } : notTaken(error);
    }
  }

  async #own(session: string, place: Place | undefined): Promise<void> {
    await this.#inTime(this.#leaving.get(session));
    if (!this.#lease.isHeld) throw fenced(session, undefined);
    const { epoch: taken, since, series, left } = await claim(this.#engine, session, this.id);
    const isLeased = () => this.#lease.isHeld;
    const parts = { engine: this.#engine, worker: this.id, since, series, isLeased };
    const epoch = new HeldEpoch({ ...parts, epoch: taken });
    // Nobody would close what is opened now. Others take the conversation when the lease has ended.
    if (this.#closing !== undefined) throw fenced(session, undefined);
    const owned: OwnedConversation = new OwnedConversation({
      engine: this.#engine,
      clock: this.#clock,
      worker: this.id,
      epoch,
      series,
      left,
      place,
      disk: () => this.#carried.disk,
      run: (command, by) => this.#run(command, by, owned),
      onDeleted: (conversation) => this.#carried.remove(session, conversation),
      onGone: (id) => {
        this.#going.delete(owned);
        this.#owned.delete(id);
        this.#carried.forget(id);
      },
      onFenced: (id) => this.#letGo(id),
    });
    this.#owned.set(session, owned);
    const beginning = this.#begin(owned, left.record);
    try {
      const messages = await this.#inTime(beginning);
      if (left.record !== undefined && messages !== undefined)
        void this.#goOn(owned, messages).finally(() => owned.ready());
      else owned.ready();
    } catch (error) {
      // Its record may say by now that it is here.
      if (owned.session === undefined) owned.close();
      else owned.freeze();
      this.#owned.delete(session);
      this.#leave(owned, beginning);
      await this.#giveBack(session).catch(() => {});
      throw error;
    }
  }

  /** Restores what an earlier owner left, and takes commands; returns the messages in its log. */
  async #begin(owned: OwnedConversation, record: FleetRecord | undefined) {
    // A conversation without a record is new to everyone; the events of an owner that was lost before would have its numbers.
    if (record === undefined) await this.#engine.logs.remove(owned.id, owned.epoch);
    const messages = record === undefined ? undefined : await this.#restore(owned, record);
    await owned.listen();
    return messages;
  }

  /** Work of a take-over: if it hangs here, another worker may be able to do it. @throws EngineError `unready`. */
  async #inTime<Value>(work: Promise<Value> | undefined): Promise<Value | undefined> {
    if (work === undefined || (await within(work, TAKE_MS, this.#clock))) return work;
    throw new EngineError('unready', `The take-over took longer than ${TAKE_MS / 60_000} minutes.`);
  }

  /** Ends an epoch of this worker that leads to nothing: as long as its lease lives, nobody else could take the conversation. */
  async #giveBack(session: string): Promise<void> {
    const engine = this.#engine;
    const last = await lastEpoch(engine, session);
    if (last?.worker !== this.id || this.#owned.get(session)?.isOver === false) return;
    const { record } = await leftRecord(engine, session);
    // It is being released.
    if (record?.epoch === last.sequence) return;
    const late = new AbortController();
    const ending = endEpoch(
      engine,
      { session, sequence: last.sequence },
      { clock: this.#clock, signal: late.signal },
    );
    if (!(await within(ending, RELEASE_MS, this.#clock))) late.abort();
    await ending;
  }

  /** Restores a conversation to the state that an earlier owner left; returns the messages in its log. */
  async #restore(owned: OwnedConversation, record: FleetRecord) {
    const { summary, opened } = record;
    const stored = new StoredLog(this.#engine, owned.id);
    const ends = await stored.ends();
    const isCut = record.log !== undefined && !(await stored.has(record.log.last, record.log.series));
    const { cwd, problem } = await this.#carried.restore(summary, owned);
    const messages = new LoggedMessages(await this.#carried.messageIds(record, cwd), isCut);
    const prompts = new LoggedPrompts();
    const events = ends === undefined ? nothing() : messages.noting(prompts.noting(stored.read(0, ends)));
    owned.check();
    const session = await this.#source.sessions.takeOver({
      summary: { ...summary, cwd },
      opened: { ...opened, cwd },
      events,
      messages,
      prompts,
      why: goneText(summary),
    });
    if (problem !== undefined) session.note('warning', 'FLEET_NOT_RESTORED', problem);
    if (isCut) session.note('error', 'FLEET_LOG_LOST', cutText(ends?.last ?? 0));
    owned.attach(session, (ends?.last ?? 0) + 1);
    return messages;
  }

  /** Does what was accepted and not done. A CLI starts only if a message waits, else with the next one. */
  async #goOn(owned: OwnedConversation, messages: LoggedMessages): Promise<void> {
    const { session } = owned;
    if (session === undefined) return;
    const { unsent } = messages;
    // A command may have started it meanwhile.
    const start = async () => (session.isOpen ? undefined : this.#source.sessions.reopen(session));
    try {
      if (unsent.length > 0) await owned.starting(start);
    } catch (error) {
      session.note('error', 'CLI_ENDED', errorText(error));
    }
    for (const message of unsent) {
      // The next owner does the rest.
      if (owned.isLeaving) return;
      this.#sendAgain(session, message);
    }
    await owned.finishEarlier((uuid) => messages.has(uuid) || this.#isSettled(session, messages, uuid));
  }

  /** An accepted message that is not in the log: if it may have run nevertheless, that is said, and it is not sent. */
  #isSettled(session: OwnedSession, messages: LoggedMessages, uuid: string): boolean {
    const fate = messages.fateOf(uuid);
    if (fate === 'send') return false;
    const outcome = fateOutcome(fate, goneText(session.summary));
    session.interrupted([{ kind: 'settled', uuid, outcome }], undefined);
    return true;
  }

  /** A message that was accepted is not dropped in silence: it says why it cannot be sent. */
  #sendAgain(session: OwnedSession, message: QueuedEvent): void {
    try {
      const { input, options } = messageIn(message);
      session.send(input, options, message.by);
    } catch (error) {
      const outcome = { kind: 'error', message: errorText(error) } as const;
      session.interrupted([{ kind: 'settled', uuid: message.uuid, outcome }], undefined);
    }
  }

  /** Runs a command for a conversation; a new conversation works in its workspace. */
  async #run(command: FleetCommand, by: Commander, owned: OwnedConversation): Promise<CommandResult> {
    try {
      return await this.#runner.run(await this.#carried.opening(command, owned), by);
    } catch (error) {
      return failed(error);
    }
  }

  /** Waits for the conversation's turn to end, then parks and releases the conversation. */
  async #giveUp(owned: OwnedConversation, graceMs: number): Promise<void> {
    const { session } = owned;
    if (session === undefined) return owned.close();
    const parking = owned.parked(() => this.#source.sessions.park(session));
    const parked = await within(parking, graceMs, this.#clock);
    if (parked) await within(this.#carried.save(session, owned), RELEASE_MS, this.#clock);
    else {
      owned.freeze();
      // Its CLI must not run what the next owner runs.
      await this.#source.sessions.end(session);
    }
    // If the engine is unreachable, it learns of this when the lease ends.
    await within(owned.release(), RELEASE_MS, this.#clock);
    owned.close();
  }

  /** Called when another worker owns a conversation: its CLI must stop, and nothing of it stays here. */
  #letGo(id: string): void {
    const owned = this.#owned.get(id);
    this.#owned.delete(id);
    this.#carried.forget(id);
    if (owned !== undefined) this.#leave(owned);
  }

  /** Ends the session of a conversation that is not here any more, even if it is still being restored, and says so. */
  #leave(owned: OwnedConversation, beginning?: Promise<unknown>): void {
    const { id } = owned;
    const before = this.#leaving.get(id);
    const leave = async () => {
      await before;
      await beginning?.catch(() => {});
      const { session } = owned;
      if (session === undefined) return;
      await this.#source.sessions.end(session);
      await owned.release();
      await this.#source.sessions.remove(session);
    };
    this.#going.add(owned);
    const leaving = leave()
      .catch(() => {})
      .finally(() => {
        this.#going.delete(owned);
        owned.close();
        if (this.#leaving.get(id) === leaving) this.#leaving.delete(id);
      });
    this.#leaving.set(id, leaving);
  }

  async #loseAll(): Promise<void> {
    for (const owned of this.#owned.values()) owned.freeze();
    await this.#endClis();
    this.#deadline.release();
    this.#election.leave();
    await this.#engine.close();
    this.#lost.resolve();
  }
}

function cutText(last: number): string {
  return `NATS has lost the end of this conversation, after event ${last}: its store is older than the record of the conversation. What happened since is missing here. Messages that it may concern are not sent again, but settled as unknown. Look at their effects.`;
}

async function* nothing(): AsyncGenerator<LogEntry, void, undefined> {}
