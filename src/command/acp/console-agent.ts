import { randomUUID } from 'node:crypto';
import type { Stream } from '@agentclientprotocol/sdk';
import { connectAgent } from '../../bridges/acp/agent.js';
import type { KeptSession, KeptSessions } from '../../bridges/acp/kept-sessions.js';
import type { AcpConversations } from '../../bridges/acp/open-sessions.js';
import type { SessionSummary } from '../../entry/remote/contract.js';
import { linkedCli, ownerOf } from '../../entry/remote/remote-launch.js';
import { RemoteTransport } from '../../entry/remote/remote-transport.js';
import type { OwnLaunch } from '../../host/session/opening/session-launch.js';
import { Session } from '../../host/session/session.js';
import { checkSessionOptions } from '../../host/session/session-option-table.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { SessionMessage } from '../../host/transcripts/transcript-types.js';
import type { Conversations } from '../../server/console/service/conversations.js';
import type { LaunchOptions } from '../../server/manager/manager-options.js';
import { systemClock } from '../../wire/util/clock.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { ConsoleTalk } from './console-talk.js';

/** What an agent on a console needs. */
export interface ConsoleAgentOptions {
  /** The client. */
  readonly stream: Stream;
  /** The console's conversations, with the client's key. */
  readonly conversations: Conversations;
  /** Launch options for every session that the client starts. */
  readonly launch: LaunchOptions;
  /** Ends it when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves one client with the sessions of a console, which owns their CLIs: they continue when the client leaves, and
 * others can see and answer the same prompts. Resolves when the client is gone.
 */
export async function serveConsoleSessions(options: ConsoleAgentOptions): Promise<void> {
  const { stream, conversations: console, launch, signal } = options;
  const kept = consoleSessions(console);
  await using conversations = new JoinedConversations(console, kept);
  const connection = connectAgent(stream, { conversations, launch, kept });
  const leave = () => connection.close();
  const unwatch = console.watch({ onLost: leave });
  signal?.addEventListener('abort', leave);
  if (signal?.aborted === true) leave();
  await connection.closed;
  signal?.removeEventListener('abort', leave);
  unwatch();
}

/** The conversations of a console that one client has joined or opened. Closing them leaves them to the console. */
class JoinedConversations implements AcpConversations, AsyncDisposable {
  readonly #console: Conversations;
  readonly #kept: KeptSessions;
  readonly #joined = new Map<string, ConsoleTalk>();

  constructor(console: Conversations, kept: KeptSessions) {
    this.#console = console;
    this.#kept = kept;
  }

  has(id: string): boolean {
    return this.#joined.has(id);
  }

  async open(id: string, options: LaunchOptions) {
    const joined = this.#joined.get(id);
    const talk = joined?.isOpen === true ? joined : await this.#join(id, options);
    return { talk, cli: await talk.wake() };
  }

  async delete(id: string): Promise<void> {
    const talk = this.#joined.get(id);
    this.#joined.delete(id);
    await talk?.park();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#joined.keys()].map((id) => this.delete(id)));
  }

  async #join(id: string, launch: LaunchOptions): Promise<ConsoleTalk> {
    const isKnown = (await this.#kept.find(id)) !== undefined;
    const options: SessionOptions = { ...launch, ...(isKnown ? { resume: id } : { sessionId: id }) };
    checkSessionOptions(options);
    const session = new Session(
      { ...options, reopen: 'auto' },
      { launch: launcher(this.#console, id, options) },
    );
    const talk = new ConsoleTalk(id, session);
    this.#joined.set(id, talk);
    return talk;
  }
}

/** Joins the console's session of a conversation; opens one there, to stay, if it has none. */
function launcher(console: Conversations, conversation: string, options: SessionOptions): OwnLaunch {
  let last: string | undefined;
  return async (identity, servers) => {
    const isThere = console.all.some(({ id }) => id === last);
    const found = isThere ? last : await sessionOf(console, conversation, options.cwd);
    const state = console.all.find(({ id }) => id === found)?.state;
    if (found !== undefined && (state === 'ended' || state === 'parked'))
      await console.command('reopen', {}, { session: found });
    const client = console.connect();
    await client.ready;
    const session = found ?? randomUUID();
    last = session;
    const role =
      found === undefined
        ? ({ ...ownerOf(options, identity, servers), after: 0, keep: true } as const)
        : ({ kind: 'guest', after: -1 } as const);
    const transport = new RemoteTransport({ client, session, role, clock: systemClock, partial: true });
    return linkedCli(transport, { client, session }, 'the console');
  };
}

/**
 * The console's session of a conversation. A session opened a moment ago may not be in the list yet, but the
 * console knows it.
 */
async function sessionOf(
  console: Conversations,
  conversation: string,
  cwd: string | undefined,
): Promise<string | undefined> {
  const listed = console.all.find((each) => each.conversation === conversation);
  if (listed !== undefined) return listed.id;
  const { conversations } = await console.command('history', { cwd, limit: LOOKED_AT });
  return conversations.find((each) => each.conversation === conversation)?.session;
}

/** How many conversations to search. */
const LOOKED_AT = 2_000;

/** The sessions of a console and, for resuming, the conversations that its CLIs have on disk. */
function consoleSessions(console: Conversations): KeptSessions {
  const listed = () => console.all.filter(({ conversation }) => conversation !== undefined);
  return {
    list: async ({ cwd, offset, limit }) =>
      listed()
        .filter((session) => cwd === undefined || session.cwd === cwd)
        .sort((one, other) => other.changedAt - one.changedAt)
        .slice(offset, offset + limit)
        .map(asKept),
    find: async (id) => {
      const session = listed().find(({ conversation }) => conversation === id);
      if (session !== undefined) return asKept(session);
      const { conversations } = await console.command('history', { limit: LOOKED_AT });
      const found = conversations.find(({ conversation }) => conversation === id);
      return found && { sessionId: id, cwd: found.cwd, summary: found.title, lastModified: found.changedAt };
    },
    messages: async (conversation) => {
      const { messages } = await console.command('history.messages', { conversation });
      return messages as readonly unknown[] as readonly SessionMessage[];
    },
    remove: async (id) => {
      const session = listed().find(({ conversation }) => conversation === id)?.id;
      if (session === undefined)
        throw new CoxswainError(
          'OPTION_INVALID',
          'The console did not open this session, so it cannot remove it.',
        );
      await console.command('close', {}, { session });
      await console.command('remove', {}, { session });
    },
  };
}

function asKept({ conversation = '', cwd, title, changedAt }: SessionSummary): KeptSession {
  return { sessionId: conversation, cwd, summary: title, lastModified: changedAt };
}
