import { randomUUID } from 'node:crypto';
import type { PubAck } from '@nats-io/jetstream';
import type { Msg, MsgHdrs } from '@nats-io/transport-node';
import { errorText } from '../../../wire/util/error-text.js';
import {
  type BatchHead,
  type Bus,
  EngineError,
  failedAs,
  type Keys,
  type LogKey,
  type Logs,
  type Stored,
} from '../engine/engine.js';
import { follow } from './follow.js';
import type { NatsEngine, NatsParts } from './open-engine.js';
import { readStored } from './read-stored.js';
import { valueIn, watchBucket } from './watch-bucket.js';
import { asEngine, engineError, MARK_TTL, putKey } from './writes.js';

/** The maximum size of a text in one message. */
const MOST_BYTES = 512 * 1024;
/** The share of the server's maximum message size reserved for headers and subjects. */
const HEAD_BYTES = 16 * 1024;

/** The engine of a fleet, on NATS. */
export function natsEngine(parts: NatsParts): NatsEngine {
  const { connection, names } = parts;
  return {
    ...parts,
    logs: logsOf(parts),
    records: keysOf(parts, names.sessions),
    leases: keysOf(parts, names.workers),
    bus: busOf(parts),
    get mostBytes() {
      return Math.min(MOST_BYTES, (connection.info?.max_payload ?? MOST_BYTES) - HEAD_BYTES);
    },
    makeId: randomUUID,
    random: Math.random,
    isClosed: () => connection.isClosed(),
    changeServer: async () => {
      if (connection.info?.cluster !== undefined) await connection.reconnect();
    },
    close: () => connection.close(),
  };
}

function logsOf(parts: NatsParts): Logs {
  const { js, jsm, names } = parts;
  const at = ({ session, part }: LogKey) => ({
    stream: names.streamOf(session),
    subject: names.log({ session, part }),
  });
  const find = async (stream: string, query: Parameters<typeof jsm.streams.getMessage>[1]) => {
    const found = await asEngine(jsm.streams.getMessage(stream, query));
    return found === null ? undefined : new StoredMessage(found, found.header);
  };
  return {
    last: (key) => find(at(key).stream, { last_by_subj: at(key).subject }),
    next: (key, from) => {
      const { stream, subject } = at(key);
      const query = { seq: from, next_by_subj: subject };
      return find(stream, query);
    },
    read: async function* (key, range) {
      try {
        for await (const message of readStored(parts, { ...at(key), ...range }))
          yield new StoredMessage(message, message.header);
      } catch (error) {
        throw engineError(error);
      }
    },
    append: async (key, text, { epoch, id, head, timeoutMs }) => {
      const publishing: Promise<PubAck> = js.publish(names.log(key), text, {
        ...(id === undefined ? {} : { msgID: id }),
        ...(head === undefined ? {} : { headers: headersOf(parts, head) }),
        ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
        ...(key.part === 'epoch'
          ? // An epoch is older than all events of the conversation, so it would expire first.
            { expect: { lastSubjectSequence: epoch }, ttl: 'never' }
          : { expect: { lastSubjectSequence: epoch, lastSubjectSequenceSubject: names.epoch(key.session) } }),
      });
      return (await asEngine(publishing)).seq;
    },
    follow: (key, { onStored, ...following }) =>
      asEngine(
        follow(parts, {
          ...at(key),
          ...following,
          onMessage: (message) => onStored(new StoredMessage(message, message.headers)),
        }),
      ),
    remove: async (session, before) => {
      const own = { filter: names.everything(session), seq: before };
      await asEngine(jsm.streams.purge(names.streamOf(session), own));
    },
  };
}

/** A message of a stream. Many are looked at for their heads only. */
class StoredMessage implements Stored {
  readonly sequence: number;
  readonly #message: { string(): string; readonly time: Date };
  readonly #headers: MsgHdrs | undefined;

  constructor(
    message: { readonly seq: number; readonly time: Date; string(): string },
    headers: MsgHdrs | undefined,
  ) {
    this.sequence = message.seq;
    this.#message = message;
    this.#headers = headers;
  }

  get text(): string {
    return this.#message.string();
  }

  get at(): number {
    return this.#message.time.getTime();
  }

  get head(): BatchHead | undefined {
    const headers = this.#headers;
    const number = (name: string) => Number(headers?.get(name));
    if (headers?.has(HEADERS.format) !== true) return undefined;
    const head = { format: number(HEADERS.format), first: number(HEADERS.first), last: number(HEADERS.last) };
    // An earlier version wrote it.
    if (!headers.has(HEADERS.series)) return head;
    return { ...head, series: headers.get(HEADERS.series), after: number(HEADERS.after) };
  }
}

const HEADERS = {
  format: 'Cox-Format',
  first: 'Cox-First',
  last: 'Cox-Last',
  series: 'Cox-Series',
  after: 'Cox-After',
} as const satisfies Record<keyof BatchHead, string>;

function headersOf({ clients }: NatsParts, head: BatchHead): MsgHdrs {
  const headers = clients.core.headers();
  for (const [key, name] of Object.entries(HEADERS)) {
    const value = head[key as keyof BatchHead];
    if (value !== undefined) headers.set(name, String(value));
  }
  return headers;
}

function keysOf(parts: NatsParts, bucket: string): Keys {
  const { jsm, names } = parts;
  const store = bucket === names.workers ? parts.workers : parts.sessions;
  return {
    find: async (key) => {
      const last = { last_by_subj: `$KV.${bucket}.${key}` };
      // The leader of the stream knows; a replica may lag.
      const found = await asEngine(jsm.streams.getMessage(`KV_${bucket}`, last));
      return { key, revision: found?.seq ?? 0, value: found === null ? undefined : valueIn(found) };
    },
    put: (key, value, options) => asEngine(putKey(parts, { bucket, key }, { value, ...options })),
    remove: (key, revision) =>
      asEngine(
        store.purge(key, { ttl: MARK_TTL, ...(revision === undefined ? {} : { previousSeq: revision }) }),
      ),
    watch: (onState, key) => asEngine(watchBucket(parts, { bucket, key }, onState)),
  };
}

function busOf({ connection, isConnected, clients, names, onDiagnostic = () => {} }: NatsParts): Bus {
  const { RequestError, NoRespondersError } = clients.core.errors;
  const isNobody = (error: unknown) =>
    error instanceof NoRespondersError || (error instanceof RequestError && error.isNoResponders());
  return {
    publish: (to, text) => {
      if (!connection.isClosed()) connection.publish(names.bus(to), text);
    },
    subscribe: (to, onMessage, { queue } = {}) => {
      const onFailed = (cause: unknown) => {
        // Whoever sent it asks again.
        if (connection.isClosed() || !isConnected() || failedAs(engineError(cause), 'unready')) return;
        const message = `A message at ${names.bus(to)} was not handled: ${errorText(cause)}`;
        onDiagnostic({ code: 'FLEET_MESSAGE_FAILED', message, cause });
      };
      // The client calls it while it reads from its socket: nothing may be thrown there.
      const handle = async (message: Msg) => onMessage(busMessage(message));
      const callback = (error: Error | null, message: Msg) => {
        if (error === null) handle(message).catch(onFailed);
      };
      const subscription = connection.subscribe(names.bus(to), {
        callback,
        ...(queue === undefined ? {} : { queue }),
      });
      return () => subscription.unsubscribe();
    },
    request: async (to, text, timeoutMs) => {
      try {
        return (await connection.request(names.bus(to), text, { timeout: timeoutMs })).string();
      } catch (error) {
        if (isNobody(error)) throw new EngineError('nobody', `Nobody listens at ${to}.`, { cause: error });
        throw error;
      }
    },
    flush: () => connection.flush(),
  };
}

function busMessage(message: Msg) {
  return { text: message.string(), respond: (text: string) => void message.respond(text) };
}
