import { randomUUID } from 'node:crypto';
import type { ClientName, OpenedView, OpenParams, SessionSummary } from '../../../entry/remote/contract.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import { processId } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds } from '../../../wire/util/option-checks.js';
import { expiredPrompts, interruptionEvents, RESTARTED } from '../../conversation/interruption.js';
import { type LoggedMessages, loggedMessages } from '../../conversation/logged-messages.js';
import { fateOutcome } from '../../conversation/message-fate.js';
import { isWithoutCli } from '../../conversation/states.js';
import { applyEntries } from '../../conversation/view.js';
import type { LogEntry } from '../log/entry.js';
import { type EventLog, type LogLimits, openEventLog } from '../log/event-log.js';
import type { ConsoleManager } from './console-manager.js';
import { ConsoleSession, type ConsoleSessionParts } from './console-session.js';
import { addEarlierMessages, addMissedMessages, type ReadMessages, readEarlier } from './earlier-messages.js';
import { untilGone } from './left-cli.js';
import type { LoggedPrompts } from './logged-prompts.js';
import { beginOf, newSummary, tokensOf } from './new-summary.js';
import { Saving } from './saving.js';
import { NOBODY, SessionFiles, type SessionRecord } from './session-files.js';
import { withoutBypass, withoutOwner } from './session-options.js';
import { StartingSessions, writtenConversation } from './starting-sessions.js';

/** The dependencies of {@link SessionRegistry}. */
export interface SessionRegistryOptions {
  /** The folder where sessions are kept. */
  readonly folder: string;
  readonly manager: ConsoleManager;
  readonly base: (opened: OpenParams) => SessionOptions;
  /** Resolves to permitted options with real paths; rejects anything else. A known conversation may be missing. */
  readonly check: (opened: OpenParams, isKnown: boolean) => Promise<OpenParams>;
  readonly clock: Clock;
  readonly now: () => number;
  readonly logLimits?: LogLimits | undefined;
  readonly graceMs?: number | undefined;
  readonly allowBypass: boolean;
  /** The CLI's own folder. */
  readonly configDir: string;
  /** How many sessions may have a CLI at once. */
  readonly maxOpen: number;
  /** How many ended sessions are kept. */
  readonly maxEnded: number;
  /** The default budget of a session, unless a lower one is set. */
  readonly sessionBudgetUsd: number | undefined;
  readonly readMessages: ReadMessages;
  readonly onChange: (session: ConsoleSession) => void;
  readonly onRemoved: (session: ConsoleSession) => void;
  readonly pace?: ConsoleSessionParts['pace'];
  readonly whenStored?: ConsoleSessionParts['whenStored'];
}

/** All sessions of a server: running and ended ones, including those from before a restart. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #files: SessionFiles;
  readonly #sessions = new Map<string, Promise<ConsoleSession>>();
  readonly #ready = new Map<string, ConsoleSession>();
  readonly #saving: Saving;
  /** Sessions of other servers whose logs are being written. */
  readonly #takingOver = new Set<Promise<unknown>>();
  readonly #starting: StartingSessions;
  /** Sessions that are being reopened. */
  readonly #reopening = new Map<string, Promise<OpenedView>>();
  #closing = false;

  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    this.#files = new SessionFiles(options.folder);
    this.#starting = new StartingSessions({ sessions: () => this.all, maxOpen: options.maxOpen });
    this.#saving = new Saving({
      clock: options.clock,
      save: (id) => this.#save(id),
    });
  }

  /** All sessions, the latest first. */
  get all(): readonly ConsoleSession[] {
    return [...this.#ready.values()].sort((one, other) => other.startedAt - one.startedAt);
  }

  /** Sessions that have a CLI, or are about to get one. */
  get inUse(): readonly ConsoleSession[] {
    return this.all.filter(({ id, isOpen }) => isOpen || this.#starting.has(id));
  }

  known(id: string | undefined): ConsoleSession | undefined {
    return id === undefined ? undefined : this.#ready.get(id);
  }

  /** A session, even if it is still being created. @throws CoxswainError `SESSION_UNKNOWN`. */
  async find(id: string | undefined): Promise<ConsoleSession> {
    const session = id === undefined ? undefined : this.#sessions.get(id);
    if (session === undefined) throw unknownSession(id);
    return session;
  }

  /**
   * Lists what an earlier server left: ended sessions, but with prompts that can still be answered and messages that
   * wait for the end of a limit. Returns what could not be read, in words.
   */
  async restore(): Promise<readonly string[]> {
    const { manager } = this.#options;
    const { records, damaged, problems } = await this.#files.list();
    const found = await Promise.all(
      records.map((record) => this.#read(record).catch((error) => this.#unreadable(record, error))),
    );
    const notStored = await manager.open();
    const unread = found.flatMap((each) => (typeof each === 'string' ? each : this.#tryRestore(each)));
    await manager.forgetOthers(new Set([...records.map(({ summary: { id } }) => id), ...damaged]));
    await this.#prune();
    return [...problems, ...notStored, ...unread];
  }

  /** Continues a session from another server: its record, and its events. It is parked if it had a CLI there. */
  async takeOver(left: LeftSession): Promise<ConsoleSession> {
    if (this.#closing) throw new CoxswainError('SESSION_ENDED', 'The console is stopping.');
    const taking = this.#takeOver(left);
    // The caller gets the error; this one only waits.
    const settled = taking.catch(() => {});
    this.#takingOver.add(settled);
    return taking.finally(() => this.#takingOver.delete(settled));
  }

  async #takeOver({ summary, opened, events, messages, prompts, why }: LeftSession): Promise<ConsoleSession> {
    const { id } = summary;
    await this.#files.writeLog(id, events);
    // Clients may have seen more than was stored.
    const found = await this.#read({ pid: NOBODY, started: '', summary, opened }, true);
    // The other server had it in a folder of its own.
    const record = { ...found.record, summary: { ...found.record.summary, cwd: summary.cwd } };
    // The record may be older than the log.
    const clean = found.clean && messages.unsettled.length === 0;
    const { schedule } = found.record.summary;
    if (found.again !== undefined && (prompts.open.length > 0 || schedule !== undefined))
      this.#options.manager.bring(id, beginOf(summary, opened), { prompts: prompts.open, schedule });
    return this.#restore({ ...found, record, clean, messages, wasLive: !found.clean }, why);
  }

  /** Opens a session; resolves when it is ready. */
  async open(
    opened: OpenParams,
    by: ClientName & { readonly kind: 'page' | 'program' },
    repository?: string,
  ): Promise<OpenedView> {
    if (this.#closing) throw new CoxswainError('SESSION_ENDED', 'The console is stopping.');
    const id = opened.id ?? randomUUID();
    if (!kinds.uuid.accepts(id))
      throw new CoxswainError('COMMAND_INVALID', 'The id of a session must be a UUID.');
    if (opened.join === true && this.#sessions.has(id)) return this.#join(await this.find(id));
    const start = this.#starting.enter(id);
    try {
      const check = async () => {
        await this.#untilGone(id, opened);
        const checked = await this.#options.check(opened, this.#knows(opened));
        start.claim(checked);
        return detach(checked);
      };
      const checking = check();
      const isNew = !this.#sessions.has(id);
      // Immediately: a client may attach before it is ready, so it misses nothing.
      if (isNew) {
        const { now, sessionBudgetUsd } = this.#options;
        const make = (checked: OpenParams) =>
          this.#create(newSummary(id, checked, by, { now: now(), sessionBudgetUsd, repository }), checked);
        this.#add(id, checking.then(make));
      }
      const checked = await checking;
      const session = await this.find(id);
      const client = opened.program?.detached === true ? undefined : by.client;
      try {
        start.check();
        return await session.start(checked, client);
      } catch (error) {
        // The caller gets the error; a list entry would be useless.
        if (isNew && session.state === 'ended') await this.#drop(session);
        throw error;
      }
    } finally {
      start.leave();
    }
  }

  /** A session that somebody else has opened; it gets a CLI if it has ended. */
  async #join(session: ConsoleSession): Promise<OpenedView> {
    await session.untilGone();
    return session.isOpen ? session.join(false) : this.reopen(session);
  }

  /** Reopens an ended or parked session where it left off; one that is open already is joined. */
  reopen(session: ConsoleSession): Promise<OpenedView> {
    const known = this.#reopening.get(session.id);
    if (known !== undefined) return known;
    const reopening = this.#reopen(session).finally(() => this.#reopening.delete(session.id));
    this.#reopening.set(session.id, reopening);
    return reopening;
  }

  async #reopen(session: ConsoleSession): Promise<OpenedView> {
    const asked = openedAgain(session);
    // It may have been removed since it was found: nobody would reach its CLI.
    if (!this.#has(session)) throw unknownSession(session.id);
    const start = this.#starting.enter(session.id);
    try {
      await this.#untilGone(session.id, asked);
      // It may be about to continue with what an earlier server left.
      if (session.isOpen) return await session.join(true);
      start.claim(asked);
      const checked = await this.#check(asked);
      await this.#addMissed(session.log, checked);
      start.check();
      return session.start(checked);
    } finally {
      start.leave();
    }
  }

  /** Checks what may be reopened: the earlier server may have allowed more than this one does. */
  #check(asked: OpenParams): Promise<OpenParams> {
    const { check, allowBypass } = this.#options;
    return check(allowBypass ? asked : (withoutBypass(asked) as OpenParams), true);
  }

  /** Whether one of the sessions has the conversation that a new one asks for. */
  #knows({ resume, program }: OpenParams): boolean {
    const asked = resume ?? program?.options.resume;
    return this.all.some(({ summary: { conversation } }) => asked !== undefined && conversation === asked);
  }

  async #addMissed(log: EventLog, { resume: conversation, cwd }: OpenParams): Promise<void> {
    const { readMessages } = this.#options;
    if (conversation !== undefined) await addMissedMessages(log, { conversation, cwd, readMessages });
  }

  /** Ends a session's CLI as soon as nothing is running; the next message starts a new one. */
  park(session: ConsoleSession): Promise<void> {
    return session.park();
  }

  /** Ends a session's CLI, also one that is about to start; resolves when nothing is left running. It stays listed. */
  async end(session: ConsoleSession): Promise<void> {
    this.#starting.callOff(session.id);
    await session.close();
  }

  /** Removes an ended session from the list and deletes its files. */
  async remove(session: ConsoleSession): Promise<void> {
    if (!this.#mayRemove(session)) throw new CoxswainError('COMMAND_INVALID', 'Close the session first.');
    await this.#drop(session);
  }

  #has(session: ConsoleSession): boolean {
    return this.#ready.get(session.id) === session;
  }

  #mayRemove(session: ConsoleSession): boolean {
    return session.state === 'ended' && this.#has(session) && !this.#starting.has(session.id);
  }

  async #drop(session: ConsoleSession): Promise<void> {
    const { id } = session;
    this.#sessions.delete(id);
    this.#ready.delete(id);
    await this.#saving.forget(id);
    await session.dispose();
    await session.drop();
    await this.#options.manager.endLeft(id);
    await this.#files.remove(id);
    this.#options.onRemoved(session);
  }

  /** Ends all sessions; resolves when nothing is left running and everything is saved. */
  async close(): Promise<void> {
    this.#closing = true;
    // What they write is removed or saved with the rest.
    await Promise.all(this.#takingOver);
    const sessions = await Promise.all(
      [...this.#sessions.values()].map((each) => each.catch(() => undefined)),
    );
    await this.#options.manager.close();
    await Promise.all(sessions.map((session) => session?.dispose()));
    // This process no longer owns any of them.
    for (const id of this.#ready.keys()) this.#saving.changed(id);
    await this.#saving.finish();
    await this.#options.manager.clean();
  }

  /** Clients see the end of a CLI a moment before this server has settled what that had. */
  async #untilGone(id: string, asked: OpenParams): Promise<void> {
    const conversation = writtenConversation(asked);
    const isMeant = (session: ConsoleSession) =>
      session.id === id || (conversation !== undefined && session.conversation === conversation);
    await Promise.all(this.all.filter(isMeant).map((session) => session.untilGone()));
  }

  #add(id: string, making: Promise<ConsoleSession>): void {
    this.#sessions.set(id, making);
    making.then(
      (session) => this.#ready.set(id, session),
      () => this.#sessions.delete(id),
    );
  }

  async #create(summary: SessionSummary, opened: OpenParams): Promise<ConsoleSession> {
    const { readMessages, logLimits: limits, now } = this.#options;
    await this.#files.setDamagedAside(summary.id);
    // What waited in the damaged one is not for this one.
    await this.#options.manager.endLeft(summary.id);
    const folder = this.#files.folderOf(summary.id);
    const { log } = await openEventLog({ folder, limits, now, onDiagnostic: this.#diagnostics(summary.id) });
    const { resume: conversation, cwd, program } = opened;
    if (conversation === undefined || program !== undefined) return this.#session(summary, opened, log);
    const usage = await addEarlierMessages(log, { conversation, cwd, readMessages });
    return this.#session({ ...summary, tokens: tokensOf(usage), costIsPartial: true }, opened, log);
  }

  /** A log that cannot be written is worth reporting, but no reason to stop. */
  #diagnostics(id: string): OnDiagnostic {
    return ({ code, message }) => this.#ready.get(id)?.note('error', code, message);
  }

  #session(summary: SessionSummary, opened: OpenParams, log: EventLog): ConsoleSession {
    const { manager, base, clock, now, graceMs, allowBypass, configDir, readMessages } = this.#options;
    const { pace, whenStored } = this.#options;
    return new ConsoleSession(summary, opened, {
      log,
      manager,
      base,
      clock,
      now,
      graceMs,
      allowBypass,
      configDir,
      pace,
      whenStored,
      readTranscript: ({ conversation, cwd }) =>
        conversation === undefined ? Promise.resolve([]) : readEarlier({ conversation, cwd, readMessages }),
      onChange: (session) => this.#changed(session),
    });
  }

  #unreadable({ summary: { id, title } }: SessionRecord, error: unknown): string {
    return `The events of "${title}" in ${this.#files.folderOf(id)} cannot be read: ${errorText(error)}.`;
  }

  async #read(record: SessionRecord, crashed = !isClean(record)): Promise<FoundSession> {
    const { opened, cli } = record;
    const { id, last: told } = record.summary;
    const { logLimits: limits, now, clock } = this.#options;
    const folder = this.#files.folderOf(id);
    const { log, tail } = await openEventLog(
      { folder, limits, now, told, onDiagnostic: this.#diagnostics(id) },
      crashed,
    );
    // The record may be slightly older than the last events.
    const summary = applyEntries(record.summary, tail);
    // Without its program, nothing in a session continues on its own.
    const mayGoOn = opened.program === undefined || summary.owner.kind === 'page';
    const again = mayGoOn
      ? await this.#check(openedAgain({ summary, opened })).catch((error: unknown) => errorText(error))
      : undefined;
    // Its work continues with another CLI.
    const clean = isWithoutCli(summary.state);
    if (!clean || !isClean(record)) await untilGone(cli, clock);
    const checked = typeof again === 'string' ? { refused: again } : { again };
    return { record: { ...record, summary }, clean, log, tail, ...checked };
  }

  /** Restores a session; returns why it could not, if so. */
  #tryRestore(found: FoundSession): readonly string[] {
    const { record, log } = found;
    try {
      const left = this.#leftIn(found);
      this.#restore(found);
      if (left.length === 0) return [];
      const { title } = record.summary;
      return [
        `What waits in "${title}" is left for the next start, or until you reopen it: ${found.refused}`,
      ];
    } catch (error) {
      this.#options.manager.forget(record.summary.id);
      // It is not written to, and nobody reads it.
      log.close().catch(() => {});
      return [this.#unreadable(record, error)];
    }
  }

  /** The ids of what waits in a session that may not continue now. */
  #leftIn({ record, refused }: FoundSession): readonly string[] {
    return refused === undefined ? [] : this.#options.manager.waiting(record.summary.id);
  }

  #restore(found: FoundSession, why = RESTARTED): ConsoleSession {
    const { record, clean, log, tail, again, messages, wasLive = false } = found;
    const { summary, opened } = record;
    const session = this.#session(summary, opened, log);
    // The manager of this folder knows what to resume; before that, it starts as it was opened.
    const start = messages === undefined ? { resume: opened.resume, forkSession: opened.forkSession } : {};
    const adopted = again === undefined ? [] : session.adopt({ ...again, ...start });
    const kept = [...adopted, ...this.#leftIn(found), ...(messages?.unsent ?? []).map(({ uuid }) => uuid)];
    const logged = messages ?? loggedMessages(tail);
    const { unsettled } = logged;
    const outcomeOf = (uuid: string) => fateOutcome(messages?.fateOf(uuid) ?? 'ran', why);
    const events = clean
      ? expiredPrompts(summary, kept)
      : interruptionEvents(summary, { kept, why, unsettled, outcomeOf });
    // A server that is killed may have stored a message without its event.
    const unlogged = session.accepted.filter(({ uuid }) => !logged.has(uuid));
    if (wasLive) session.standBy();
    const isOver = !clean && !wasLive && adopted.length === 0 && session.summary.schedule === undefined;
    session.interrupted([...events, ...unlogged], isOver ? why : undefined);
    // Its next CLI takes longer to send something. A log that cannot be written reports that itself.
    if (!clean && adopted.length > 0 && again !== undefined) this.#addMissed(log, again).catch(() => {});
    this.#add(summary.id, Promise.resolve(session));
    this.#ready.set(summary.id, session);
    if (log.last > summary.last) this.#saving.changed(summary.id);
    return session;
  }

  /** Remove the oldest ended sessions to make room. */
  async #prune(): Promise<void> {
    const ended = this.all.filter((session) => this.#mayRemove(session));
    for (const session of ended.slice(this.#options.maxEnded))
      if (this.#mayRemove(session)) await this.#drop(session);
  }

  #changed(session: ConsoleSession): void {
    this.#saving.changed(session.id);
    this.#options.onChange(session);
    // What cannot be removed now is tried again when the next one ends.
    if (session.state === 'ended') void this.#prune().catch(() => {});
  }

  async #save(id: string): Promise<void> {
    const session = this.#ready.get(id);
    if (session === undefined) return;
    const pid = this.#closing ? NOBODY : process.pid;
    const cli = session.pid === undefined ? undefined : processId(session.pid);
    await this.#files.save({ pid, cli, summary: session.summary, opened: session.opened });
  }
}

/** A session that another server owned. */
export interface LeftSession extends Pick<SessionRecord, 'summary' | 'opened'> {
  /** Its events, in order. */
  readonly events: AsyncIterable<LogEntry>;
  /** What they say about messages, once they are read. The caller sends those again that no CLI received. */
  readonly messages: LoggedMessages;
  /** What they say about prompts, once they are read. */
  readonly prompts: LoggedPrompts;
  /** What happened to that server, in a sentence. */
  readonly why: string;
}

/** Whether it had no CLI. */
function isClean({ summary: { state } }: SessionRecord): boolean {
  return isWithoutCli(state);
}

/** A session of an earlier server. */
interface FoundSession {
  readonly record: SessionRecord;
  /** Whether it had no CLI. */
  readonly clean: boolean;
  readonly log: EventLog;
  readonly tail: readonly LogEntry[];
  /** How its next CLI is started, if it may continue on its own. */
  readonly again?: OpenParams | undefined;
  /** Why this server may not start one. */
  readonly refused?: string | undefined;
  readonly messages?: LoggedMessages | undefined;
  /** Whether it had a CLI on another machine: the next message goes on here. */
  readonly wasLive?: boolean | undefined;
}

/** How a session is reopened where it left off. */
function openedAgain({ summary, opened }: Pick<SessionRecord, 'summary' | 'opened'>): OpenParams {
  return {
    ...opened,
    resume: summary.conversation,
    forkSession: undefined,
    permissionMode: summary.permissionMode,
    program: opened.program && withoutOwner(opened.program),
  };
}

/** A program that is not needed leaves only what works without it. */
function detach(opened: OpenParams): OpenParams {
  const { program } = opened;
  return program?.detached === true ? { ...opened, program: withoutOwner(program) } : opened;
}

function unknownSession(id: string | undefined): CoxswainError {
  return new CoxswainError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(id ?? null)} here.`);
}
