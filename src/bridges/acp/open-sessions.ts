import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import {
  type AgentContext,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  type NewSessionResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { Effort, PermissionMode } from '../../host/cli/options/cli-options.js';
import type { McpServerMap } from '../../host/mcp/server-option.js';
import type { Session } from '../../host/session/session.js';
import type { Conversation } from '../../server/manager/conversations/conversation.js';
import type { ManagerEvents } from '../../server/manager/manager-events.js';
import type { LaunchOptions } from '../../server/manager/manager-options.js';
import { AcpSession } from './acp-session.js';
import type { ClientAbilities } from './client-abilities.js';
import { misuse } from './failures.js';
import type { KeptSessions } from './kept-sessions.js';
import { SessionSettings } from './session-settings.js';

/** A conversation, as an agent uses it. It outlives its CLI. */
export interface Talk extends Pick<Conversation, 'prompts' | 'send' | 'messages' | 'park'> {
  on<Event extends 'message' | 'prompt'>(
    event: Event,
    listener: (value: ManagerEvents[Event]) => void,
  ): () => void;
  setModel(model: string): Promise<unknown>;
  setPermissionMode(mode: PermissionMode): Promise<unknown>;
  setEffort(effort: Effort | undefined): Promise<unknown>;
}

/** The conversations that an agent opens: a manager's, or a console's. */
export interface AcpConversations {
  /** Whether one with this id was opened. */
  has(id: string): boolean;
  /**
   * Opens or continues a conversation; resolves when its CLI is ready. A running one is left alone: it may be busy, or
   * shared with others.
   */
  open(
    id: string,
    options: LaunchOptions,
  ): Promise<{ readonly talk: Talk; readonly cli: Pick<Session, 'info' | 'version'> }>;
  /** Ends a conversation and forgets it. */
  delete(id: string): Promise<void>;
}

/** The parts of an agent. */
export interface AcpHost {
  readonly conversations: AcpConversations;
  /** Launch options of every conversation that a client starts. */
  readonly launch: LaunchOptions;
  /** The sessions that clients can continue. */
  readonly kept: KeptSessions;
}

/** How a client opens a session. */
interface Opening {
  readonly cwd: string;
  readonly additionalDirectories?: readonly string[] | undefined;
  readonly mcpServers?: readonly McpServer[] | undefined;
}

/** The page size of `session/list`. */
const PAGE = 50;

/** The sessions that one client has open. */
export class OpenSessions {
  readonly #host: AcpHost;
  readonly #client: AgentContext;
  readonly #abilities: () => ClientAbilities;
  readonly #gone: AbortSignal;
  readonly #open = new Map<string, AcpSession>();

  constructor(
    host: AcpHost,
    {
      client,
      abilities,
      gone,
    }: {
      readonly client: AgentContext;
      readonly abilities: () => ClientAbilities;
      readonly gone: AbortSignal;
    },
  ) {
    this.#host = host;
    this.#client = client;
    this.#abilities = abilities;
    this.#gone = gone;
  }

  /** Finds a session by its id. */
  get(sessionId: string): AcpSession {
    const session = this.#open.get(sessionId);
    if (session === undefined) throw RequestError.sessionNotFound(sessionId);
    return session;
  }

  /** Starts a conversation. */
  async create(opening: Opening): Promise<NewSessionResponse> {
    const sessionId = randomUUID();
    checkFolders(opening);
    const session = await this.#attach(sessionId, opening);
    return { sessionId, ...stateOf(session) };
  }

  /** Continues a conversation; with its earlier messages, if requested. */
  async resume(sessionId: string, opening: Opening, { replay }: { readonly replay: boolean }) {
    checkFolders(opening);
    this.#open.get(sessionId)?.leave();
    const { conversations, kept } = this.#host;
    const known = await kept.find(sessionId);
    if (known === undefined && !conversations.has(sessionId)) throw RequestError.sessionNotFound(sessionId);
    if (known?.cwd !== undefined && known.cwd !== opening.cwd)
      throw misuse(`The session ${sessionId} belongs to the folder ${known.cwd}.`);
    const session = await this.#attach(sessionId, opening);
    if (replay) await session.replay(await kept.messages(sessionId));
    return stateOf(session);
  }

  /** The conversations on disk, most recently used first. */
  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (typeof cwd === 'string' && !isAbsolute(cwd)) throw misuse(`The folder ${cwd} is not absolute.`);
    const offset = offsetOf(cursor);
    const found = await this.#host.kept.list({ cwd: cwd ?? undefined, offset, limit: PAGE + 1 });
    const sessions = found.slice(0, PAGE).flatMap((info) => {
      if (info.cwd === undefined) return [];
      const { sessionId, summary: title, lastModified } = info;
      return [{ sessionId, cwd: info.cwd, title, updatedAt: new Date(lastModified).toISOString() }];
    });
    return { sessions, ...(found.length > PAGE ? { nextCursor: `from:${offset + PAGE}` } : {}) };
  }

  /** Ends a session's work and its CLI; it can be resumed. */
  async close(sessionId: string): Promise<void> {
    const session = this.get(sessionId);
    this.#open.delete(sessionId);
    await session.cancel();
    session.leave();
    await session.talk.park();
  }

  /** Deletes a session and its transcript. */
  async delete(sessionId: string): Promise<void> {
    const session = this.#open.get(sessionId);
    this.#open.delete(sessionId);
    await session?.cancel();
    session?.leave();
    const { conversations, kept } = this.#host;
    const isManaged = conversations.has(sessionId);
    if (isManaged) await conversations.delete(sessionId);
    const isKept = (await kept.find(sessionId)) !== undefined;
    if (isKept) await kept.remove(sessionId);
    else if (!isManaged) throw RequestError.sessionNotFound(sessionId);
  }

  /** The client has disconnected. */
  leaveAll(): void {
    for (const session of this.#open.values()) session.leave();
    this.#open.clear();
  }

  async #attach(id: string, opening: Opening): Promise<AcpSession> {
    const { conversations, launch } = this.#host;
    try {
      const { talk, cli } = await conversations.open(id, this.#launch(opening));
      const { permissionMode: mode, model, allowDangerouslySkipPermissions: mayBypass = false } = launch;
      const settings = new SessionSettings(talk, cli, { mode, model, mayBypass });
      const describe = () => this.#host.kept.find(id);
      const [client, abilities, gone] = [this.#client, this.#abilities(), this.#gone];
      const session = new AcpSession({
        id,
        cwd: opening.cwd,
        talk,
        client,
        abilities,
        settings,
        gone,
        describe,
      });
      this.#open.set(id, session);
      // The client must get the answer first.
      setImmediate(() => void session.tellCommands());
      return session;
    } catch (error) {
      await conversations.delete(id).catch(() => {});
      throw error;
    }
  }

  #launch({ cwd, additionalDirectories = [], mcpServers }: Opening): LaunchOptions {
    const { launch } = this.#host;
    const servers = { ...launch.mcpServers, ...clientServers(mcpServers) };
    // The editor answers.
    return { prompts: 'manual', ...launch, cwd, additionalDirectories, mcpServers: servers };
  }
}

function stateOf({ settings }: AcpSession) {
  return { modes: settings.modes, configOptions: settings.options };
}

function checkFolders({ cwd, additionalDirectories = [] }: Opening): void {
  for (const folder of [cwd, ...additionalDirectories]) {
    if (!isAbsolute(folder)) throw misuse(`The folder ${folder} is not absolute.`);
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw misuse(`There is no folder ${folder}.`);
  }
}

function offsetOf(cursor: string | null | undefined): number {
  if (cursor === undefined || cursor === null) return 0;
  const offset = Number(/^from:(\d{1,9})$/.exec(cursor)?.[1] ?? Number.NaN);
  if (Number.isNaN(offset)) throw misuse(`There is no page ${cursor}.`);
  return offset;
}

/** The MCP servers of a client, as the CLI accepts them. */
function clientServers(servers: readonly McpServer[] = []): McpServerMap {
  const named: [string, McpServerMap[string]][] = servers.map((server) => [server.name, configOf(server)]);
  const names = named.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw misuse(`Two MCP servers have the name ${twice}.`);
  return Object.fromEntries(named);
}

function configOf(server: McpServer): McpServerMap[string] {
  if ('url' in server) return { type: server.type, url: server.url, headers: pairs(server.headers) };
  return { command: server.command, args: server.args, env: pairs(server.env) };
}

function pairs(list: readonly { readonly name: string; readonly value: string }[]): Record<string, string> {
  return Object.fromEntries(list.map(({ name, value }) => [name, value]));
}
