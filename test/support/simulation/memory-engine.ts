import {
  type Bus,
  type BusMessage,
  type Engine,
  EngineError,
  type KeyState,
  type Keys,
  type LogKey,
  type Logs,
  type Objects,
  type Stored,
} from '../../../src/server/fleet/engine/engine.js';
import type { Clock } from '../../../src/wire/util/clock.js';
import { deferred } from '../../../src/wire/util/deferred.js';
import { MemoryKeys } from './memory-keys.js';

/** What a network does to requests. Each is asked once per request, answer or message. */
export interface Network {
  readonly clock: Clock;
  readonly random: () => number;
  readonly makeId: () => string;
  /** How long something takes from one end to the other, in milliseconds. */
  delay(): number;
  /** Whether the answer to a request that took effect is lost. */
  losesAnswer(): boolean;
  /** Whether a request arrives a second time. */
  repeats(): boolean;
}

/** A program that uses an engine: it can be stopped for a while, and killed. */
export interface EngineUser {
  /** Its own time: nothing of it happens while it is stopped, or after it was killed. */
  readonly clock: Clock;
  readonly isAlive: () => boolean;
  /** Does something as soon as the program can; never, if it was killed. */
  soon(run: () => void): void;
}

/** For how long ids of writes are known. */
const DEDUPE_MS = 120_000;
const ANSWER_MS = 5_000;
const AGAIN_MS = 200;

interface StoredIn extends Stored {
  readonly part: LogKey['part'];
}

interface Subscription {
  readonly to: string;
  readonly queue: string | undefined;
  readonly user: EngineUser;
  /** Whether its listener can still answer. */
  readonly isOpen: () => boolean;
  readonly deliver: (message: BusMessage) => void;
}

/** What the servers of an engine have. Users connect to it; it can be away, and lose answers. */
export class MemoryServers {
  readonly network: Network;
  readonly logs = new Map<string, StoredIn[]>();
  readonly records: MemoryKeys;
  readonly leases: MemoryKeys;
  readonly blobs = new Map<string, StoredObject>();
  readonly transcripts = new Map<string, StoredObject>();
  readonly subscriptions = new Set<Subscription>();
  readonly #followers = new Set<() => void>();
  readonly #reconnects = new Set<() => void>();
  readonly #drops = new Map<EngineUser, (() => void)[]>();
  readonly #ids = new Map<string, { readonly sequence: number; readonly at: number }>();
  #sequence = 0;
  #isAway = false;
  #connections = 1;
  /** How often the store went back to a copy. */
  copies = 0;
  #back: (() => void)[] = [];

  constructor(network: Network) {
    this.network = network;
    this.records = new MemoryKeys(network.clock);
    this.leases = new MemoryKeys(network.clock);
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** How often users had to connect. */
  get connections(): number {
    return this.#connections;
  }

  /** From now on nothing arrives. What was sent before arrives when they are back. */
  leave(): void {
    this.#isAway = true;
  }

  comeBack(): void {
    this.#isAway = false;
    this.#connections += 1;
    for (const look of this.#reconnects) look();
    for (const go of this.#back.splice(0)) go();
  }

  /** A copy of everything that is stored, as for a backup; the returned function goes back to it, while nobody is connected. */
  backup(): () => void {
    const logs = new Map([...this.logs].map(([session, log]) => [session, [...log]]));
    const objects = [this.blobs, this.transcripts].map((all) => [all, new Map(all)] as const);
    const keys = [this.records.backup(), this.leases.backup()];
    const [sequence, ids] = [this.#sequence, new Map(this.#ids)];
    return () => {
      replace(this.logs, logs);
      for (const [all, copy] of objects) replace(all, copy);
      for (const restore of keys) restore();
      this.#sequence = sequence;
      replace(this.#ids, ids);
      this.copies += 1;
      if (!this.#isAway) for (const look of this.#reconnects) look();
    };
  }

  /** Calls back when users connect again: the store may be an older copy by then. The returned function ends that. */
  onReconnect(look: () => void): () => void {
    this.#reconnects.add(look);
    return () => void this.#reconnects.delete(look);
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** Resolves when a request or an answer is at the other end. */
  async trip(): Promise<void> {
    await new Promise<void>((resolve) => void this.network.clock.after(this.network.delay(), resolve));
    while (this.#isAway) await new Promise<void>((resolve) => void this.#back.push(resolve));
  }

  append({ session, part }: LogKey, text: string, options: Parameters<Logs['append']>[2]): number {
    const { epoch, id, head } = options;
    const now = this.network.clock.now();
    const known = id === undefined ? undefined : this.#ids.get(id);
    const log = this.logs.get(session) ?? [];
    const last = log.findLast((each) => each.part === 'epoch')?.sequence ?? 0;
    // Like nats-server 2.15: the condition comes first, also for a write that is repeated.
    if (last !== epoch) throw new EngineError('refused', `The last epoch is ${last}, not ${epoch}.`);
    if (known !== undefined && now - known.at < DEDUPE_MS) return known.sequence;
    this.#sequence += 1;
    const sequence = this.#sequence;
    log.push({ sequence, part, text, head, at: now });
    this.logs.set(session, log);
    if (id !== undefined) this.#ids.set(id, { sequence, at: now });
    for (const wake of this.#followers) wake();
    return sequence;
  }

  part({ session, part }: LogKey): readonly StoredIn[] {
    return (this.logs.get(session) ?? []).filter((each) => each.part === part);
  }

  remove(session: string, before: number): void {
    const left = (this.logs.get(session) ?? []).filter(({ sequence }) => sequence >= before);
    if (left.length === 0) this.logs.delete(session);
    else this.logs.set(session, left);
  }

  /** Calls back after each append; the returned function ends that. */
  onAppend(wake: () => void): () => void {
    this.#followers.add(wake);
    return () => void this.#followers.delete(wake);
  }

  /** Ends what a killed user has: its system closes its connections. */
  drop(user: EngineUser): void {
    for (const each of this.subscriptions) if (each.user === user) this.subscriptions.delete(each);
    for (const drop of this.#drops.get(user) ?? []) drop();
    this.#drops.delete(user);
  }

  /** Notes what to do when a user is killed. */
  onDrop(user: EngineUser, drop: () => void): void {
    this.#drops.set(user, [...(this.#drops.get(user) ?? []), drop]);
  }

  /** What users have here: nothing when all are gone. */
  get used(): number {
    return (
      this.subscriptions.size + this.#followers.size + this.records.watchers.size + this.leases.watchers.size
    );
  }
}

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly revision: number;
}

function replace<Key, Value>(all: Map<Key, Value>, by: ReadonlyMap<Key, Value>): void {
  all.clear();
  for (const [key, value] of by) all.set(key, value);
}

/** Connects a user to servers in memory. */
export function memoryEngine(servers: MemoryServers, user: EngineUser): Engine {
  const connection = new Connection(servers, user);
  const { network } = servers;
  return {
    logs: logsOf(connection),
    records: keysOf(connection, servers.records),
    leases: keysOf(connection, servers.leases),
    blobs: objectsOf(connection, servers.blobs),
    transcripts: objectsOf(connection, servers.transcripts),
    bus: busOf(connection),
    mostBytes: 512 * 1024,
    makeId: network.makeId,
    random: network.random,
    isConnected: () => !servers.isAway,
    connections: () => servers.connections,
    isClosed: () => connection.isClosed,
    changeServer: async () => {},
    close: async () => connection.close(),
  };
}

/** One user's connection. */
class Connection {
  readonly servers: MemoryServers;
  readonly user: EngineUser;
  readonly #stops = new Set<() => void>();
  readonly #rejects = new Set<(error: Error) => void>();
  /** Subscriptions that the servers do not know yet. */
  readonly joining = new Set<object>();
  isClosed = false;

  constructor(servers: MemoryServers, user: EngineUser) {
    this.servers = servers;
    this.user = user;
    servers.onDrop(user, () => this.close());
  }

  close(): void {
    this.isClosed = true;
    for (const stop of this.#stops) stop();
    this.#stops.clear();
    for (const reject of this.#rejects) reject(new Error('The connection is closed.'));
    this.#rejects.clear();
  }

  /** Something that ends with the connection; the returned function ends it before. */
  owns(stop: () => void): () => void {
    const end = () => {
      this.#stops.delete(end);
      stop();
    };
    if (this.isClosed) stop();
    else this.#stops.add(end);
    return end;
  }

  /**
   * Has the servers do something, and resolves with the result when its user can see it. The user stops waiting after a
   * time; the request may take effect later.
   */
  call<Value>(act: () => Value | Promise<Value>, timeoutMs = ANSWER_MS): Promise<Value> {
    const { user } = this;
    return new Promise<Value>((resolve, reject) => {
      // A killed program does nothing any more.
      if (!user.isAlive()) return;
      if (this.isClosed) {
        reject(new Error('The connection is closed.'));
        return;
      }
      const over = () => {
        this.#rejects.delete(fail);
        callOff();
      };
      const fail = (error: unknown) => {
        over();
        reject(error);
      };
      const callOff = user.clock.after(timeoutMs, () => fail(new EngineError('unready', 'No answer.')));
      this.#rejects.add(fail);
      const answer = (tell: () => void) =>
        user.soon(() => {
          over();
          tell();
        });
      void this.#act(act).then(
        (told) => told !== LOST && answer(() => resolve(told)),
        (error: unknown) => answer(() => reject(error)),
      );
    });
  }

  async #act<Value>(act: () => Value | Promise<Value>): Promise<Value | typeof LOST> {
    const { servers, user } = this;
    const { copies } = servers;
    await servers.trip();
    // It was on its way to servers that are gone.
    if (servers.copies !== copies) return LOST;
    // What a killed program has sent may have left its machine, or not.
    if (!user.isAlive() && servers.network.random() < 0.5) return LOST;
    const value = await act();
    if (servers.network.losesAnswer()) return LOST;
    await servers.trip();
    return value;
  }

  /** Makes a channel that delivers in order, each after a while; the user must be there. */
  channel<Item>(deliver: (item: Item) => void | Promise<void>): { push(item: Item): void; stop(): void } {
    const { servers, user } = this;
    const waiting: Item[] = [];
    let [isBusy, isOver] = [false, false];
    const pause = (ms: number) => new Promise<void>((resolve) => void user.clock.after(ms, resolve));
    const deliverNext = async () => {
      try {
        await deliver(waiting[0] as Item);
        waiting.shift();
      } catch {
        await pause(AGAIN_MS);
      }
    };
    const work = async () => {
      isBusy = true;
      while (waiting.length > 0 && !isOver) {
        await servers.trip();
        await new Promise<void>((resolve) => user.soon(resolve));
        for (let left = waiting.length; left > 0 && !isOver; left -= 1) await deliverNext();
      }
      isBusy = false;
    };
    return {
      push: (item) => {
        waiting.push(item);
        if (!isBusy) void work();
      },
      stop: () => {
        isOver = true;
      },
    };
  }
}

const LOST = Symbol('lost');
const CURRENT = Symbol('current');
const REWOUND = Symbol('rewound');

function logsOf(connection: Connection): Logs {
  const { servers } = connection;
  return {
    last: (key) => connection.call(() => servers.part(key).at(-1)),
    next: (key, from) => connection.call(() => servers.part(key).find(({ sequence }) => sequence >= from)),
    read: async function* (key, { from, to }) {
      yield* await connection.call(() =>
        servers.part(key).filter(({ sequence }) => sequence >= from && sequence <= to),
      );
    },
    append: (key, text, options) =>
      connection.call(() => {
        const sequence = servers.append(key, text, options);
        if (options.id !== undefined && servers.network.repeats()) {
          const { copies } = servers;
          // It was on its way to servers that are gone, or arrives.
          const again = () => servers.copies === copies && servers.append(key, text, options);
          // Nobody waits for the second answer.
          void servers
            .trip()
            .then(again)
            .catch(() => {});
        }
        return sequence;
      }, options.timeoutMs),
    follow: async (key, { from, seen, onStored, onRewound = () => {} }) => {
      let [next, last] = [from, seen];
      const { push, stop } = connection.channel((item: Stored | typeof REWOUND) =>
        item === REWOUND ? onRewound() : onStored(item),
      );
      const look = () => {
        if (servers.isAway) return;
        for (const stored of servers.part(key).filter(({ sequence }) => sequence >= next)) {
          next = stored.sequence + 1;
          last = stored;
          push(stored);
        }
      };
      const isRewound = () => {
        const { sequence = 0, at } = last ?? {};
        const found = servers.part(key).find((each) => each.sequence === sequence);
        return found === undefined ? sequence > servers.sequence : found.at !== at;
      };
      const lookAgain = () => {
        if (!isRewound()) return look();
        end();
        push(REWOUND);
      };
      await connection.call(() => {});
      if (isRewound()) throw new EngineError('unready', 'The store is an older copy.');
      const unwatch = servers.onAppend(look);
      const unwatchConnection = servers.onReconnect(lookAgain);
      const end = () => {
        unwatch();
        unwatchConnection();
      };
      look();
      return connection.owns(() => {
        end();
        stop();
      });
    },
    remove: (session, before) => connection.call(() => servers.remove(session, before)),
  };
}

function keysOf(connection: Connection, keys: MemoryKeys): Keys {
  return {
    find: (key) =>
      connection.call(() => {
        const { revision, value } = keys.find(key);
        return { key, revision, value };
      }),
    put: (key, text, options) => connection.call(() => keys.put(key, text, options), options.timeoutMs),
    remove: (key, revision) => connection.call(() => keys.remove(key, revision)),
    watch: async (onState, key) => {
      const current = deferred<void>();
      const { push, stop } = connection.channel((state: KeyState | typeof CURRENT) => {
        if (state === CURRENT) current.resolve();
        else onState(state);
      });
      const tell = ({ key: of, revision, value }: KeyState) => {
        if (key === undefined || of === key) push({ key: of, revision, value });
      };
      let isOver = false;
      const end = connection.owns(() => {
        isOver = true;
        keys.watchers.delete(tell);
        stop();
      });
      try {
        await connection.call(() => {
          if (isOver) return;
          for (const state of keys.entries.values()) tell(state);
          push(CURRENT);
          keys.watchers.add(tell);
        });
      } catch (error) {
        end();
        throw error;
      }
      await current.promise;
      return end;
    },
  };
}

function objectsOf(connection: Connection, objects: Map<string, StoredObject>): Objects {
  const find = (name: string) => connection.call(() => objects.get(name) ?? null);
  const set = (name: string, bytes: Uint8Array, previous?: number) =>
    connection.call(() => {
      const revision = objects.get(name)?.revision ?? 0;
      if (previous !== undefined && previous !== revision)
        throw new EngineError('refused', `${name} has the revision ${revision}.`);
      objects.set(name, { bytes, revision: revision + 1 });
      return { revision: revision + 1 };
    });
  return {
    info: async (name) => {
      const found = await find(name);
      return found === null ? null : { revision: found.revision, deleted: false };
    },
    get: async (name) => {
      const found = await find(name);
      if (found === null) return null;
      return { data: new Blob([found.bytes.slice()]).stream(), error: Promise.resolve(null) };
    },
    getBlob: async (name) => (await find(name))?.bytes ?? null,
    put: async ({ name }, data) => {
      const parts: Uint8Array[] = [];
      for await (const part of data) parts.push(part);
      return set(name, Buffer.concat(parts));
    },
    putBlob: ({ name }, bytes, { previousRevision } = {}) => set(name, bytes, previousRevision),
    delete: (name) => connection.call(() => void objects.delete(name)),
    names: (prefix = '') =>
      connection.call(() => [...objects.keys()].filter((name) => name.startsWith(prefix))),
  };
}

function busOf(connection: Connection): Bus {
  const { servers, user } = connection;
  const listeners = (to: string) => {
    const all = [...servers.subscriptions].filter((each) => each.to === to);
    const queued = all.filter(({ queue }) => queue !== undefined);
    const chosen = queued[Math.floor(servers.network.random() * queued.length)];
    return [...all.filter(({ queue }) => queue === undefined), ...(chosen === undefined ? [] : [chosen])];
  };
  return {
    publish: (to, text) => {
      if (connection.isClosed || servers.isAway || !user.isAlive()) return;
      const silent = { text, respond: () => {} };
      void servers.trip().then(() => {
        for (const { deliver } of listeners(to)) deliver(silent);
      });
    },
    subscribe: (to, onMessage, { queue } = {}) => {
      // Like NATS: a message that cannot be handled does not come again.
      const handle = async (message: BusMessage) => onMessage(message);
      const channel = connection.channel((message: BusMessage) => void handle(message).catch(() => {}));
      const isOpen = () => user.isAlive() && !connection.isClosed;
      const subscription = { to, queue, user, isOpen, deliver: channel.push };
      // The servers learn of it a moment later; `flush` waits for that.
      connection.joining.add(subscription);
      void servers.trip().then(() => {
        if (connection.joining.delete(subscription) && user.isAlive())
          servers.subscriptions.add(subscription);
      });
      return connection.owns(() => {
        connection.joining.delete(subscription);
        servers.subscriptions.delete(subscription);
        channel.stop();
      });
    },
    request: (to, text, timeoutMs) =>
      connection.call(() => {
        const found = listeners(to);
        if (found.length === 0) throw new EngineError('nobody', `Nobody listens at ${to}.`);
        return new Promise<string>((resolve) => {
          for (const { deliver, isOpen } of found) {
            const respond = (answer: string) => {
              if (isOpen()) void servers.trip().then(() => resolve(answer));
            };
            deliver({ text, respond });
          }
        });
      }, timeoutMs),
    flush: async () => {
      // Requests overtake each other here, so it waits until the servers have everything.
      do await connection.call(() => {});
      while (connection.joining.size > 0);
    },
  };
}
