import { randomUUID } from 'node:crypto';
import { toError } from '../../../entry/remote/command-failed.js';
import type {
  Attached,
  CommandName,
  CommandParams,
  CommandValue,
  Done,
  LogEvent,
  SessionSummary,
} from '../../../entry/remote/contract.js';
import type { CommandRunner } from '../commands/command-runner.js';
import type { Visitor } from '../http/access.js';
import { eventOf } from '../log/entry.js';
import type { ServedSessions } from '../sessions/served-session.js';
import { Viewer } from '../socket/viewer.js';

/** A console's conversations, as the MCP tools need them: in this process, or over a socket. */
export interface Conversations {
  readonly all: readonly SessionSummary[];
  /** Runs a console command; rejects with its error. */
  command<Name extends CommandName>(
    name: Name,
    params: CommandParams<Name>,
    options?: { readonly session?: string | undefined; readonly id?: string | undefined },
  ): Promise<CommandValue<Name>>;
  /** Subscribes to a conversation's events after a number; the returned function unsubscribes. */
  follow(session: string, after: number, follower: Follower): Promise<() => void>;
}

/** Receives the events of a conversation. */
export interface Follower {
  readonly onEvent: (event: LogEvent, n: number) => void;
  /** Events up to this number have already happened, and are delivered now. */
  readonly onAttached: (last: number) => void;
}

/** The conversations of a server in this process, for the holder of a key. */
export function ownConversations(
  registry: ServedSessions,
  runner: CommandRunner,
  { role, key }: Visitor,
): Conversations {
  return {
    get all() {
      return registry.all.map(({ summary }) => summary);
    },
    command: async (name, params, { session, id = randomUUID() } = {}) => {
      const by = { client: id, name: 'MCP', kind: 'program', role, key } as const;
      const done = JSON.parse(await runner.run({ id, name, session, params }, by)) as Done;
      if (!done.ok) throw toError(done.error);
      return done.value as never;
    },
    follow: async (session, after, { onEvent, onAttached }) => {
      const found = await registry.find(session);
      let open = true;
      const outlet = {
        get open() {
          return open;
        },
        writable: true,
        drained: async () => {},
        sendAttached: ({ last }: Attached) => onAttached(last),
        sendEntry: (_session: string, entry: { n: number; at: number; rest: string }) =>
          onEvent(eventOf(entry) as LogEvent, entry.n),
      };
      const viewer = new Viewer(found, outlet, { after, partial: false });
      return () => {
        open = false;
        viewer.stop();
      };
    },
  };
}
