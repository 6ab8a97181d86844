import type { SessionSummary } from '../../../entry/remote/contract.js';
import { type LoginLimits, latestLimits } from '../../../wire/protocol/reading/plan-limits.js';
import type { Clock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Listeners } from '../../../wire/util/listeners.js';
import type { Conversations } from '../../console/service/conversations.js';
import { hasCli } from '../../conversation/states.js';
import type { ConversationExport } from '../../manager/conversations/conversation-export.js';
import type { DeleteOptions } from '../../manager/conversations/conversation-host.js';
import type { DrainOptions, Manager, ManagerCounters } from '../../manager/manager.js';
import type { ManagerEvents } from '../../manager/manager-events.js';
import type { ConversationFacts } from '../../manager/manager-options.js';
import { untilDrained } from '../../manager/until-drained.js';
import { conversationId } from './conversation-id.js';
import { ServedConversation } from './served-conversation.js';
import { factsOf, nameOf } from './served-facts.js';
import { ServedHost } from './served-host.js';
import {
  checkServedOptions,
  type ServedConversationOptions,
  type ServedManagerOptions,
} from './served-manager-options.js';

/** Where the conversations of a {@link ServedManager} are. */
export interface ManagedServer {
  readonly where: 'fleet' | 'console';
  /** The conversations for somebody whose new ones are charged to this owner; on a console, its key decides. */
  of(owner: string): Conversations;
  close(): Promise<void>;
}

/** The conversations of a server, for one program: of a fleet or of a console. */
export class ServedManager implements Manager<ServedConversationOptions> {
  readonly #options: ServedManagerOptions;
  readonly #server: ManagedServer;
  readonly #clock: Clock;
  readonly #all: Conversations;
  readonly #listeners: Listeners<ManagerEvents>;
  /** By the id of the conversation. */
  readonly #hosts = new Map<string, ServedHost>();
  readonly #handles = new WeakMap<ServedHost, ServedConversation>();
  /** Which conversations had a CLI. */
  readonly #live = new Set<string>();
  readonly #counts = { starts: 0, resumes: 0 };
  readonly #left = new AbortController();
  #leaving = false;
  #closing: Promise<void> | undefined;

  constructor(options: ServedManagerOptions, server: ManagedServer, parts: ServedManagerParts) {
    this.#options = options;
    this.#server = server;
    this.#clock = parts.clock;
    this.#listeners = parts.listeners;
    this.#all = server.of('default');
    for (const { id, state } of this.#all.all) if (hasCli(state)) this.#live.add(id);
    this.#all.watch({
      onChange: (summary) => this.#changed(summary),
      onRemoved: (id) => this.#removed(id),
      onLost: (error) => this.#lost(error),
    });
    if (this.#isHeard) this.#lookAtAll();
  }

  conversation(name: string, options: ServedConversationOptions = {}): ServedConversation {
    this.#checkOpen();
    if (typeof name !== 'string' || name === '')
      throw new CoxswainError('OPTION_INVALID', 'The name of a conversation is a string that is not empty.');
    checkServedOptions(options, this.#server.where);
    const { owner } = options;
    const known = this.#known(name);
    const host = known === undefined ? this.#new(name, options) : this.#hostOf(known, name);
    if (owner !== undefined && owner !== host.owner)
      throw new CoxswainError(
        'OPTION_INVALID',
        `The conversation ${name} belongs to ${host.owner}, not to ${owner}.`,
      );
    host.configure({ defer: this.#options.defer, ...options }, options);
    return this.#handle(host);
  }

  find(name: string): ServedConversation {
    return this.#handle(this.#find(name));
  }

  #find(name: string): ServedHost {
    if (this.#closing !== undefined) throw closing();
    const known = this.#known(name);
    if (known !== undefined) return this.#hostOf(known, name);
    throw new CoxswainError('CONVERSATION_UNKNOWN', `There is no conversation called ${name}.`);
  }

  list(): readonly ConversationFacts[] {
    return this.#all.all
      .toReversed()
      .map((summary) => this.#hosts.get(summary.id)?.facts ?? factsOf(nameOf(summary), summary));
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
    return latestLimits(this.#all.all.map(({ limits }) => limits));
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

  async delete(name: string, options: DeleteOptions = {}): Promise<void> {
    const { transcript = false, workspace = 'keep', discardIgnored } = options;
    const host = this.#find(name);
    // A message that arrives after the end would open it again.
    await host.passedOn();
    if (workspace !== 'keep') await host.ask('endWorkspace', { end: workspace, discardIgnored });
    await host.ask('close', {});
    await host.ask('remove', { transcript });
  }

  async export(name: string): Promise<ConversationExport> {
    const host = this.#find(name);
    const [{ options, waiting, prompts }, messages] = await Promise.all([
      host.ask('export', {}),
      this.#handle(host).transcript({ includeSystemMessages: true }),
    ]);
    return {
      facts: host.facts,
      options,
      waiting: waiting as ConversationExport['waiting'],
      prompts,
      messages,
    };
  }

  async drain(options: DrainOptions = {}): Promise<void> {
    this.#leaving = true;
    const finished = Promise.all([...this.#hosts.values()].map((host) => host.finish()));
    // The server continues what is still running then.
    await untilDrained(finished, options, this.#clock);
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
    this.#left.abort();
    await this.#server.close();
  }

  /** Finds a conversation by its name; those opened elsewhere have their id as a name. */
  #known(name: string): SessionSummary | undefined {
    return this.#all.known(conversationId(name)) ?? this.#all.known(name);
  }

  #new(name: string, { owner }: ServedConversationOptions): ServedHost {
    const id = conversationId(name);
    return this.#hosts.get(id) ?? this.#make(name, id, owner);
  }

  #hostOf(summary: SessionSummary, name = nameOf(summary)): ServedHost {
    return this.#hosts.get(summary.id) ?? this.#make(name, summary.id, undefined);
  }

  #handle(host: ServedHost): ServedConversation {
    const handle = this.#handles.get(host) ?? new ServedConversation(host, this.#clock);
    this.#handles.set(host, handle);
    return handle;
  }

  #make(name: string, id: string, owner = 'default'): ServedHost {
    const { defaults = {}, onLimit, budgets } = this.#options;
    const host = new ServedHost(name, id, {
      server: this.#server.of(owner),
      clock: this.#clock,
      left: this.#left.signal,
      listeners: this.#listeners,
      onLimit,
      budgetUsd: budgets?.conversation,
      isLeaving: () => this.#leaving,
      options: { ...defaults, owner },
    });
    this.#hosts.set(id, host);
    return host;
  }

  #changed(summary: SessionSummary): void {
    this.#count(summary);
    // Listeners for all conversations get new ones too.
    const host = this.#isHeard ? this.#hostOf(summary) : this.#hosts.get(summary.id);
    host?.update(summary);
  }

  #removed(id: string): void {
    this.#live.delete(id);
    this.#hosts.get(id)?.removed();
  }

  /** The server does not accept this program any longer, or is gone for good; its conversations continue there. */
  #lost(error: Error): void {
    if (this.#closing !== undefined) return;
    for (const host of this.#hosts.values()) host.lost(error);
    const diagnostic = { code: 'REMOTE_LOST', message: errorText(error) } as const;
    this.#listeners.emit('diagnostic', { conversation: '', diagnostic });
  }

  #count({ id, state, tokens }: SessionSummary): void {
    if (!hasCli(state)) this.#live.delete(id);
    else if (!this.#live.has(id)) {
      this.#live.add(id);
      this.#counts[tokens.output > 0 ? 'resumes' : 'starts'] += 1;
    }
  }

  get #isHeard(): boolean {
    return EVENTS.some((event) => this.#listeners.has(event));
  }

  /** Listeners for all conversations also get those that no one has asked for. */
  #lookAtAll(): void {
    for (const summary of this.#all.all) this.#hostOf(summary);
    this.#look();
  }

  #look(): void {
    for (const host of this.#hosts.values()) host.look();
  }

  #checkOpen(): void {
    if (this.#leaving) throw closing();
  }
}

/** The dependencies of a {@link ServedManager}. */
export interface ServedManagerParts {
  readonly clock: Clock;
  /** Its listeners: some hear what happens while it connects. */
  readonly listeners: Listeners<ManagerEvents>;
}

function closing(): CoxswainError {
  return new CoxswainError('MANAGER_CLOSED', 'The manager is closing and accepts no more messages.');
}

/** The events of a manager. */
const EVENTS = ['state', 'message', 'turn', 'unasked', 'prompt', 'budget', 'diagnostic'] as const;
