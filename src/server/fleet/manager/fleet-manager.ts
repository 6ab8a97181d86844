import { callPrompts } from '../../../host/session/prompts/open-prompts.js';
import { type LoginLimits, latestLimits } from '../../../wire/protocol/reading/plan-limits.js';
import type { Clock } from '../../../wire/util/clock.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { Listeners } from '../../../wire/util/listeners.js';
import { LoggedMessages } from '../../conversation/logged-messages.js';
import { hasCli } from '../../conversation/states.js';
import type { ConversationExport } from '../../manager/conversations/conversation-export.js';
import type { DeleteOptions } from '../../manager/conversations/conversation-host.js';
import { checkConversationOptions } from '../../manager/conversations/conversation-option-checks.js';
import type { DrainOptions, Manager, ManagerCounters } from '../../manager/manager.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import { untilDrained } from '../../manager/until-drained.js';
import type { FleetSession } from '../gateway/fleet-session.js';
import { StoredLog } from '../log/stored-log.js';
import { isLive } from '../record.js';
import { factsOf, nameOf } from './conversation-facts.js';
import { conversationId } from './conversation-id.js';
import { FleetConversation } from './fleet-conversation.js';
import { FleetHost } from './fleet-host.js';
import { FleetLink } from './fleet-link.js';
import {
  checkLaunchOptions,
  type FleetConversationOptions,
  type FleetManagerOptions,
} from './fleet-manager-options.js';
import { notOnFleet } from './not-on-fleet.js';
import { checkSame, launchOptionsOf } from './opened-conversation.js';

/** The conversations of a fleet, for one program. */
export class FleetManager implements Manager<FleetConversationOptions> {
  readonly #options: FleetManagerOptions;
  readonly #listeners = new Listeners<ManagerEvents>();
  /** By the id of the conversation. */
  readonly #hosts = new Map<string, FleetHost>();
  readonly #handles = new WeakMap<FleetHost, FleetConversation>();
  /** Which conversations had a CLI. */
  readonly #live = new Set<string>();
  readonly #counts = { starts: 0, resumes: 0 };
  #fleet: FleetLink | undefined;
  #leaving = false;
  #closing: Promise<void> | undefined;

  constructor(options: FleetManagerOptions) {
    this.#options = options;
  }

  /** Connects to the fleet. */
  async open(clock: Clock): Promise<this> {
    const { onDiagnostic } = this.#options;
    // From the beginning: connecting may report something.
    if (onDiagnostic !== undefined) this.#listeners.on('diagnostic', onDiagnostic);
    this.#fleet = await FleetLink.open(this.#options.fleet, clock, {
      onChange: (session) => this.#changed(session),
      onRemoved: ({ id }) => {
        this.#live.delete(id);
        this.#hosts.get(id)?.removed();
      },
      onDiagnostic: (diagnostic) => this.#listeners.emit('diagnostic', { conversation: '', diagnostic }),
    });
    if (this.#isHeard) this.#lookAtAll();
    return this;
  }

  conversation(name: string, options: FleetConversationOptions = {}): FleetConversation {
    const { owner, priority, defer = this.#options.defer, ...launch } = options;
    this.#checkOpen();
    if (typeof name !== 'string' || name === '')
      throw new CoxswainError('OPTION_INVALID', 'The name of a conversation is a string that is not empty.');
    checkLaunchOptions(launch);
    checkConversationOptions(options);
    const known = this.#known(name);
    if (known === undefined) {
      const id = conversationId(name);
      const given = { owner, priority, defer, ...launch };
      const host = this.#hosts.get(id) ?? this.#make(name, id, given);
      host.configure(given);
      return this.#handle(host);
    }
    const host = this.#hostOf(known);
    if (owner !== undefined && owner !== host.owner)
      throw new CoxswainError(
        'OPTION_INVALID',
        `The conversation ${name} belongs to ${host.owner}, not to ${owner}.`,
      );
    checkSame(name, { ...launch, defer: options.defer }, known.record.opened);
    return this.#handle(host);
  }

  find(name: string): FleetConversation {
    return this.#handle(this.#find(name));
  }

  #find(name: string): FleetHost {
    if (this.#closing !== undefined) throw closing();
    const known = this.#known(name);
    if (known !== undefined) return this.#hostOf(known);
    throw new CoxswainError('CONVERSATION_UNKNOWN', `There is no conversation called ${name}.`);
  }

  list(): readonly ConversationFacts[] {
    return this.#link.sessions.all
      .toReversed()
      .map(({ id, record }) => this.#hosts.get(id)?.facts ?? factsOf(nameOf(id, record), record));
  }

  get counters(): ManagerCounters {
    const facts = this.list();
    const count = (...states: string[]) => facts.filter(({ state }) => states.includes(state)).length;
    return {
      running: count('running', 'starting'),
      waiting: count('queued', 'paused'),
      parked: count('parked'),
      failed: count('failed'),
      ...this.#counts,
      costUsd: facts.reduce((sum, { costUsd }) => sum + costUsd, 0),
    };
  }

  get limits(): readonly LoginLimits[] {
    return latestLimits(this.#link.sessions.all.map(({ record }) => record.summary.limits));
  }

  on<Event extends keyof ManagerEvents>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void {
    const remove = this.#listeners.on(event, listener);
    this.#lookAtAll();
    return () => {
      remove();
      this.#look();
    };
  }

  async delete(name: string, { transcript = false, workspace = 'keep' }: DeleteOptions = {}): Promise<void> {
    if (workspace !== 'keep')
      throw notOnFleet(`workspace: '${workspace}'`, 'workers manage files: see coxswain worker --workspaces');
    const host = this.#find(name);
    const { session } = host;
    // A message that arrives after the end would open it again.
    await host.passedOn();
    await this.#link.ask('close', {}, { session });
    await this.#link.ask('remove', { transcript }, { session });
    await this.#link.sessions.untilGone(session);
  }

  async export(name: string): Promise<ConversationExport> {
    const { session, record } = this.#find(name);
    const talk = this.find(name);
    const messages = await talk.transcript({ includeSystemMessages: true });
    const waiting = await this.#unsettled(session);
    const kept = talk.state === 'running' ? [] : callPrompts(talk.prompts);
    return {
      facts: talk.facts,
      options: record === undefined ? {} : launchOptionsOf(record.opened),
      waiting,
      prompts: kept.map(({ id, tool, input }) => ({ id, tool, input })),
      messages,
    };
  }

  async drain(options: DrainOptions = {}): Promise<void> {
    this.#leaving = true;
    const finished = Promise.all([...this.#hosts.values()].map((host) => host.finish()));
    // The fleet continues what is still running then.
    await untilDrained(finished, options, this.#link.clock);
    await this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#leaving = true;
    await Promise.all([...this.#hosts.values()].map((host) => host.close()));
    await this.#fleet?.close();
  }

  get #link(): FleetLink {
    if (this.#fleet !== undefined) return this.#fleet;
    throw new CoxswainError('MANAGER_CLOSED', 'The manager is not connected.');
  }

  /** Finds a conversation by its name; those opened elsewhere have their id as a name. */
  #known(name: string): FleetSession | undefined {
    const { sessions } = this.#link;
    return sessions.known(conversationId(name)) ?? sessions.known(name);
  }

  #hostOf({ id, record }: FleetSession): FleetHost {
    return this.#hosts.get(id) ?? this.#make(nameOf(id, record), id, {}, record);
  }

  #handle(host: FleetHost): FleetConversation {
    const handle = this.#handles.get(host) ?? new FleetConversation(host, this.#link.clock);
    this.#handles.set(host, handle);
    return handle;
  }

  #make(
    name: string,
    id: string,
    options: FleetConversationOptions,
    record?: FleetSession['record'],
  ): FleetHost {
    const { defaults, onLimit, budgets } = this.#options;
    const host = new FleetHost(name, id, {
      link: this.#link,
      listeners: this.#listeners,
      onLimit,
      budgetUsd: budgets?.conversation,
      isLeaving: () => this.#leaving,
      options: { ...defaults, ...options },
      record,
    });
    this.#hosts.set(id, host);
    return host;
  }

  #changed(session: FleetSession): void {
    const isNew = this.#hosts.get(session.id) === undefined;
    const wasKnown = this.#fleet !== undefined;
    if (wasKnown) this.#count(session);
    else if (isLive(session.record)) this.#live.add(session.id);
    // Listeners for all conversations get new ones too.
    if (isNew && wasKnown && this.#isHeard) this.#hostOf(session);
    this.#hosts.get(session.id)?.update(session);
  }

  #count({ id, record }: FleetSession): void {
    if (!hasCli(record.summary.state)) this.#live.delete(id);
    else if (!this.#live.has(id)) {
      this.#live.add(id);
      this.#counts[record.summary.tokens.output > 0 ? 'resumes' : 'starts'] += 1;
    }
  }

  get #isHeard(): boolean {
    return EVENTS.some((event) => this.#listeners.has(event));
  }

  /** Listeners for all conversations also get those that no one has asked for. */
  #lookAtAll(): void {
    for (const session of this.#link.sessions.all) this.#hostOf(session);
    this.#look();
  }

  #look(): void {
    for (const host of this.#hosts.values()) host.look();
  }

  async #unsettled(session: string): Promise<ConversationExport['waiting']> {
    const stored = new StoredLog(this.#link.engine, session);
    const ends = await stored.ends();
    const messages = new LoggedMessages();
    if (ends !== undefined) for await (const entry of stored.read(0, ends)) messages.note(entry);
    return messages.unsettled.map(({ uuid, content }) => ({
      id: uuid,
      input: content as ConversationExport['waiting'][number]['input'],
    }));
  }

  #checkOpen(): void {
    if (this.#leaving) throw closing();
  }
}

function closing(): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', 'The manager is closing and accepts no more messages.');
}

/** The events of a manager. */
const EVENTS = ['state', 'message', 'turn', 'unasked', 'prompt', 'budget', 'diagnostic'] as const;
