import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stream } from '@agentclientprotocol/sdk';
import { connectAgent } from '../../bridges/acp/agent.js';
import type { KeptSession, KeptSessions } from '../../bridges/acp/kept-sessions.js';
import { type ConsoleAddress, ConsoleClient } from '../../entry/remote/console-client.js';
import type { SessionSummary } from '../../entry/remote/contract.js';
import { startSession } from '../../entry/sdk/open-session.js';
import type { OpenOptions } from '../../entry/sdk/remote-session.js';
import type { Session } from '../../host/session/session.js';
import type { SessionDeps } from '../../host/session/session-host.js';
import type { SessionMessage } from '../../host/transcripts/transcript-types.js';
import type { LaunchOptions } from '../../server/manager/manager-options.js';
import { openManager } from '../../server/manager/open-manager.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** What an agent on a console needs. */
export interface ConsoleAgentOptions {
  /** The client. */
  readonly stream: Stream;
  /** The console, with the client's key. */
  readonly address: ConsoleAddress;
  /** Launch options for every session that the client starts. */
  readonly launch: LaunchOptions;
  /** Ends it when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Serves one client with the sessions of a console, which owns their CLIs: they continue when the client leaves, and
 * others can see and answer the same prompts. Resolves when the client is gone.
 */
export async function serveConsoleSessions({
  stream,
  address,
  launch,
  signal,
}: ConsoleAgentOptions): Promise<void> {
  const client = new ConsoleClient(address);
  const store = mkdtempSync(join(tmpdir(), 'coxswain-acp-'));
  const manager = await openManager(
    { store, maxRunning: Number.MAX_SAFE_INTEGER, idleMs: Number.POSITIVE_INFINITY, onLimit: 'fail' },
    // A session that has to be woken appears a moment later; the manager waits for it.
    { startSession: (options, deps) => joined(client, address, options, deps) as unknown as Session },
  );
  try {
    await client.listed;
    const connection = connectAgent(stream, { manager, launch, kept: consoleSessions(client) });
    const leave = () => connection.close();
    client.on('lost', leave);
    signal?.addEventListener('abort', leave);
    if (signal?.aborted === true) leave();
    await connection.closed;
    signal?.removeEventListener('abort', leave);
  } finally {
    await manager.close();
    await client.close();
    rmSync(store, { recursive: true, force: true });
  }
}

/** The session of a conversation: joined if the console has it, otherwise opened there, to stay. */
async function joined(
  client: ConsoleClient,
  address: ConsoleAddress,
  options: OpenOptions,
  deps: SessionDeps | undefined,
): Promise<Session> {
  const conversation = options.resume ?? options.sessionId;
  const session = await sessionOf(client, options);
  if (session === undefined) return startSession({ ...options, remote: { ...address, keep: true } }, deps);
  const state = client.sessions.find(({ id }) => id === session)?.state;
  if (state === 'ended' || state === 'parked') await client.command('reopen', {}, { session });
  const own = { resume: conversation, prompts: 'manual', partialMessages: true, onDiagnostic: null } as const;
  return startSession({ ...own, remote: { ...address, session } }, deps);
}

/**
 * The console's session of a conversation. A session opened a moment ago may not be in the list yet, but the
 * console knows it.
 */
async function sessionOf(
  client: ConsoleClient,
  { resume, sessionId, cwd }: OpenOptions,
): Promise<string | undefined> {
  const listed = client.sessions.find(({ conversation }) => conversation === (resume ?? sessionId));
  if (listed !== undefined || resume === undefined) return listed?.id;
  const { conversations } = await client.command('history', { cwd, limit: LOOKED_AT });
  return conversations.find(({ conversation }) => conversation === resume)?.session;
}

/** How many conversations to search. */
const LOOKED_AT = 2_000;

/** The sessions of a console and, for resuming, the conversations that its CLIs have on disk. */
function consoleSessions(client: ConsoleClient): KeptSessions {
  const listed = () => client.sessions.filter(({ conversation }) => conversation !== undefined);
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
      const { conversations } = await client.command('history', { limit: LOOKED_AT });
      const found = conversations.find(({ conversation }) => conversation === id);
      return found && { sessionId: id, cwd: found.cwd, summary: found.title, lastModified: found.changedAt };
    },
    messages: async (conversation) => {
      const { messages } = await client.command('history.messages', { conversation });
      return messages as readonly unknown[] as readonly SessionMessage[];
    },
    remove: async (id) => {
      const session = listed().find(({ conversation }) => conversation === id)?.id;
      if (session === undefined)
        throw new CoxswainError(
          'OPTION_INVALID',
          'The console did not open this session, so it cannot remove it.',
        );
      await client.command('close', {}, { session });
      await client.command('remove', {}, { session });
    },
  };
}

function asKept({ conversation = '', cwd, title, changedAt }: SessionSummary): KeptSession {
  return { sessionId: conversation, cwd, summary: title, lastModified: changedAt };
}
