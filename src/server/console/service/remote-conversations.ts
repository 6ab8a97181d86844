import { type ConsoleAddress, ConsoleClient } from '../../../entry/remote/console-client.js';
import { deferred } from '../../../wire/util/deferred.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { Conversations, Follower } from './conversations.js';

interface Place extends Follower {
  /** The number of the last event that it received. */
  last: number;
}

/** The conversations of a server over a socket; the address is for further ones. */
export function remoteConversations(client: ConsoleClient, address: ConsoleAddress): Conversations {
  const followers = new Map<string, Set<Place>>();
  return {
    get all() {
      return client.sessions.toSorted((one, other) => other.startedAt - one.startedAt);
    },
    known: (id) => client.session(id),
    find: async (id) => {
      const found = client.session(id);
      if (found !== undefined) return found;
      throw new CoxswainError('SESSION_UNKNOWN', `There is no session ${JSON.stringify(id)} here.`);
    },
    command: async (name, params, options) => {
      const value = await client.command(name, params, options);
      // Lists arrive a moment after answers, and a caller may ask for a new conversation immediately.
      if (name === 'open') await listed(client, (value as { session: string }).session);
      return value;
    },
    watch: ({ onChange = () => {}, onRemoved = () => {}, onLost }) => {
      const stop = [
        client.on('session', onChange),
        client.on('removed', onRemoved),
        client.on('lost', onLost),
      ];
      return () => {
        for (const each of stop) each();
      };
    },
    connect: () => new ConsoleClient(address),
    follow: async (session, after, follower) => {
      const all = followers.get(session) ?? new Set();
      followers.set(session, all);
      const own: Place = { ...follower, last: after };
      all.add(own);
      attach(client, session, all);
      return () => {
        all.delete(own);
        if (all.size > 0) return;
        followers.delete(session);
        client.attach(session, -1, { onEvent: () => {} })();
      };
    },
  };
}

/** A client has one position in a session's events: that of the slowest follower, with what any of them needs. */
function attach(client: ConsoleClient, session: string, all: ReadonlySet<Place>): void {
  const after = Math.min(...[...all].map(({ last }) => last));
  client.attach(session, after, {
    partial: [...all].some(({ partial }) => partial === true),
    watches: [...all].some(({ watches }) => watches !== false),
    onAttached: (attached) => {
      for (const follower of all) follower.onAttached?.(attached);
    },
    onEvent: (event) => {
      for (const follower of all) {
        if (event.n <= follower.last) continue;
        follower.last = event.n;
        if (follower.partial === true || !event.isPart) follower.onEvent(event);
      }
    },
  });
}

async function listed(client: ConsoleClient, session: string): Promise<void> {
  const isThere = () => client.session(session) !== undefined;
  const told = deferred<void>();
  const stop = [
    client.on('session', () => isThere() && told.resolve()),
    client.on('lost', (error) => told.reject(error)),
  ];
  if (isThere()) told.resolve();
  await told.promise.finally(() => {
    for (const each of stop) each();
  });
}
