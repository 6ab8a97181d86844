import { randomUUID } from 'node:crypto';
import type { CommandOptions, EventListener } from '../../../entry/remote/console-client.js';
import type {
  CommandName,
  CommandParams,
  CommandValue,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import type { ServerLink } from '../../../entry/remote/remote-transport.js';
import { deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { resultValue } from '../commands/command-result.js';
import type { CommandRunner } from '../commands/command-runner.js';
import type { Visitor } from '../http/access.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { Hub, HubClient } from '../socket/hub.js';
import { LocalLink } from './local-link.js';

/** A console's conversations, as every way in uses them: in this process, or over a socket. */
export interface Conversations {
  /** All conversations, the latest first. */
  readonly all: readonly SessionSummary[];
  /** A conversation that is in the list. */
  known(id: string): SessionSummary | undefined;
  /** A conversation by its id. @throws CoxswainError `SESSION_UNKNOWN`. */
  find(id: string): Promise<SessionSummary>;
  /** Runs a console command; rejects with its error. */
  command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options?: CommandOptions,
  ): Promise<CommandValue<Name>>;
  /** Is one of the server's clients until the returned function is called. */
  watch(watcher: Watcher): () => void;
  /**
   * Delivers a conversation's events after a number, with partial messages only for followers that ask for them; the
   * returned function stops that.
   */
  follow(session: string, after: number, follower: Follower): Promise<() => void>;
  /** A connection for one session of a program. */
  connect(): ServerLink;
}

/** Receives the events of a conversation. */
export type Follower = EventListener;

/** Learns what changes on a server. */
export interface Watcher {
  /** A conversation is new or has changed. */
  readonly onChange?: ((summary: SessionSummary) => void) | undefined;
  /** A conversation left the list. */
  readonly onRemoved?: ((id: string) => void) | undefined;
  /** The server is gone, or does not accept this client's key any longer. */
  readonly onLost: (error: Error) => void;
}

/** A server's conversations for the holder of a key; the name is that of the way in. */
export type ConversationsFor = (visitor: Visitor, name: string) => Conversations;

/** The parts of a server that has its conversations in this process. */
export interface OwnParts {
  readonly registry: ServedSessions;
  readonly runner: Pick<CommandRunner, 'run' | 'cancel'>;
  readonly hub: Pick<Hub, 'join'>;
}

/** The conversations of a server in this process. */
export function ownConversations({ registry, runner, hub }: OwnParts): ConversationsFor {
  return (visitor, by) => {
    const { role, key, device, from } = visitor;
    const commandOf =
      (client?: string): Conversations['command'] =>
      async (name, params, { session, id = randomUUID(), signal } = {}) => {
        const who = { role, key, device, from };
        const commander = { client: client ?? id, name: by, kind: 'program', ...who } as const;
        signal?.throwIfAborted();
        const running = runner.run({ id, name, session, params }, commander);
        return resultValue(await untilAborted(running, signal, () => runner.cancel(id, key))) as never;
      };
    const linkFor = (client?: string) =>
      new LocalLink({ find: (id) => registry.find(id), command: commandOf(client) });
    return {
      get all() {
        return registry.all.map(({ summary }) => summary);
      },
      known: (id) => registry.known(id)?.summary,
      find: async (id) => (await registry.find(id)).summary,
      command: commandOf(),
      watch: (watcher) => hub.join(present(visitor, randomUUID(), watcher)),
      follow: async (session, after, follower) => {
        await registry.find(session);
        const link = linkFor();
        link.attach(session, after, { ...follower, partial: follower.partial ?? false });
        return () => void link.close();
      },
      connect: () => {
        const client = randomUUID();
        const link = linkFor(client);
        const leave = hub.join(
          present(visitor, client, {
            onRemoved: (id) => link.removed(id),
            onLost: (error) => link.lost(error),
          }),
        );
        link.on('connected', leave);
        return link;
      },
    };
  };
}

/** A client of the hub that is in this process. */
function present(visitor: Visitor, client: string, { onChange, onRemoved, onLost }: Watcher): HubClient {
  const lose = () => onLost(new CoxswainError('REMOTE_LOST', 'The console closed the connection.'));
  return {
    visitor,
    client,
    // The list is at hand.
    send: () => {},
    changed: (summary) => onChange?.(summary),
    forget: (id) => onRemoved?.(id),
    checkAlive: () => {},
    close: lose,
    terminate: lose,
  };
}

/** Nobody waits for a cancelled command, whatever becomes of it. */
async function untilAborted<Value>(
  running: Promise<Value>,
  signal: AbortSignal | undefined,
  cancel: () => void,
): Promise<Value> {
  if (signal === undefined) return running;
  const aborted = deferred<never>();
  const onAbort = () => {
    cancel();
    aborted.reject(
      new CoxswainError('REQUEST_ABORTED', 'The command was cancelled.', { cause: signal.reason }),
    );
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([running, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
