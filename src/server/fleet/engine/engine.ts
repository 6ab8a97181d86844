/** What a fleet needs of the servers that connect its processes: logs, records, leases, objects, and a bus. */
export interface Engine {
  readonly logs: Logs;
  /** Records of conversations. */
  readonly records: Keys;
  /** Workers: their facts, which double as their leases, and who assigns conversations. */
  readonly leases: Keys;
  /** Texts that are too long for a message. */
  readonly blobs: Objects;
  /** Transcripts that CLIs wrote. */
  readonly transcripts: Objects;
  readonly bus: Bus;
  /** The maximum size of a text in one message, in bytes. */
  readonly mostBytes: number;
  readonly makeId: () => string;
  /** A number from 0 to 1, without 1. */
  readonly random: () => number;
  /** Whether a server is connected; if not, the engine keeps trying. */
  readonly isConnected: () => boolean;
  /** How often it has connected. Each time, its servers may have lost what they had stored: a store can be older than before. */
  readonly connections: () => number;
  /** Whether this end has closed it. */
  readonly isClosed: () => boolean;
  /** Connects to another server of a cluster, if there is one. */
  changeServer(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a conversation's log: who owned it when, what happened, and the commands that were accepted. */
export type LogPart = 'epoch' | 'events' | 'commands';

/** One part of the log of one conversation. */
export interface LogKey {
  readonly session: string;
  readonly part: LogPart;
}

/** What is known of a text with entries before it is read. */
export interface BatchHead {
  readonly format: number;
  /** The numbers of its first and last entry. */
  readonly first: number;
  readonly last: number;
  /** Who numbered them: a number names an event only together with its series. Missing in batches of earlier versions. */
  readonly series?: string | undefined;
  /** The last number that was stored before them; 0 for none. If the log has another one there, it has lost something. */
  readonly after?: number | undefined;
}

/** A text in a log. */
export interface Stored {
  /** Its place; places grow, and the parts of all conversations share them. */
  readonly sequence: number;
  readonly text: string;
  readonly head: BatchHead | undefined;
  /** When it was stored, in milliseconds since 1970. */
  readonly at: number;
}

/** When a text is added to a log. */
export interface AppendOptions {
  /** Refused unless this is the sequence of the last text of the part `epoch`; 0 for none. */
  readonly epoch: number;
  /** A text with the same id is added once, for as long as a lease can be; the epoch is checked before that. */
  readonly id?: string | undefined;
  readonly head?: BatchHead | undefined;
  readonly timeoutMs?: number | undefined;
}

/** What to follow in a log. */
export interface Following {
  /** The first sequence. */
  readonly from: number;
  /** Receives each text in order, one at a time, without a gap. If it fails, the text is delivered again. */
  readonly onStored: (stored: Stored) => void | Promise<void>;
  /** A text before those, which the reader has seen. */
  readonly seen?: Pick<Stored, 'sequence' | 'at'> | undefined;
  /** Called if the last text that was seen is gone, because the store is an older copy: then nothing more is delivered. */
  readonly onRewound?: (() => void) | undefined;
}

/** The logs of all conversations. What they answer is what the latest accepted write has left. */
export interface Logs {
  last(key: LogKey): Promise<Stored | undefined>;
  /** The first text at or after a sequence. */
  next(key: LogKey, from: number): Promise<Stored | undefined>;
  /** The texts from one sequence to another, which is known to exist. */
  read(key: LogKey, range: { readonly from: number; readonly to: number }): AsyncIterable<Stored>;
  /** Adds a text; returns its sequence. @throws EngineError `refused`, `busy`. */
  append(key: LogKey, text: string, options: AppendOptions): Promise<number>;
  /** Resolves when it follows; the returned function stops it. @throws EngineError `unready` if the text that was seen is gone. */
  follow(key: LogKey, following: Following): Promise<() => void>;
  /** Removes everything of a conversation before a sequence. */
  remove(session: string, before: number): Promise<void>;
}

/** The current state of a key. */
export interface KeyState {
  readonly key: string;
  /** The sequence of its last change; 0 if there is none. */
  readonly revision: number;
  /** Its parsed JSON, or its text if that is none; undefined when it is gone. */
  readonly value: unknown;
}

/** How a key is written. */
export interface PutOptions {
  /** Refused unless the key has this revision. */
  readonly revision: number;
  /** It expires after this long unless it is written again. */
  readonly seconds?: number | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Values by key, each with a revision. */
export interface Keys {
  find(key: string): Promise<KeyState>;
  /** Writes a JSON text; returns the new revision. @throws EngineError `refused`. */
  put(key: string, text: string, options: PutOptions): Promise<number>;
  /** @throws EngineError `refused` if it does not have the revision given. */
  remove(key: string, revision?: number): Promise<void>;
  /**
   * Watches one key, or all: existing values first, then changes. Resolves when the existing ones have been reported; the
   * returned function stops it.
   */
  watch(onState: (state: KeyState) => void, key?: string): Promise<() => void>;
}

/** Objects of any size, by name. */
export interface Objects {
  info(name: string): Promise<{ readonly revision: number; readonly deleted: boolean } | null>;
  get(name: string): Promise<StreamedObject | null>;
  getBlob(name: string): Promise<Uint8Array | null>;
  put(meta: { readonly name: string }, data: ReadableStream<Uint8Array>): Promise<unknown>;
  putBlob(
    meta: { readonly name: string },
    bytes: Uint8Array,
    options?: { readonly previousRevision?: number },
  ): Promise<{ readonly revision: number }>;
  /** Deletes an object. Nothing of it stays. */
  delete(name: string): Promise<void>;
  /** The names of all objects with this beginning. Only names are read, not their descriptions. */
  names(prefix?: string): Promise<readonly string[]>;
}

/** An object while it is read. */
interface StreamedObject {
  readonly data: ReadableStream<Uint8Array>;
  /** Why it could not be read to its end, if so. */
  readonly error: Promise<Error | null>;
}

/** A message of the bus. */
export interface BusMessage {
  readonly text: string;
  /** Answers a request; the answer may be lost. */
  respond(text: string): void;
}

/** Messages between the processes of a fleet: they arrive once or not at all. */
export interface Bus {
  /** Tells whoever listens; nobody, if the engine is away. */
  publish(to: string, text: string): void;
  /**
   * The returned function unsubscribes. Of the subscribers with the same queue, one gets a message. If `onMessage` fails, the
   * engine says so (`FLEET_MESSAGE_FAILED`), and goes on.
   */
  subscribe(
    to: string,
    onMessage: (message: BusMessage) => void | Promise<void>,
    options?: { readonly queue?: string },
  ): () => void;
  /** Resolves with the first answer. @throws EngineError `nobody` if nobody listens. Rejects after the time. */
  request(to: string, text: string, timeoutMs: number): Promise<string>;
  /** Resolves when the engine knows of all subscriptions. */
  flush(): Promise<void>;
}

/** The addresses on the bus. They must stay the same in all versions. */
export const addresses = {
  /** The owner of a conversation, for commands. */
  owner: (session: string) => `ctl.${session}`,
  /** Those who follow a conversation, for partial messages, which are not stored. */
  viewers: (session: string) => `live.${session}`,
  worker: (id: string) => `w.${id}`,
  anyWorker: 'any',
  /** Who assigns conversations to workers. */
  placer: 'place',
} as const;

/**
 * Why an engine did not do something. `refused`: something else was written before, so retrying is pointless. `busy`:
 * another write that depends on the same one is in progress. `nobody`: nobody listens. `unready`: it has no leader, or
 * does not answer, and that passes.
 */
export class EngineError extends Error {
  readonly why: 'refused' | 'busy' | 'nobody' | 'unready';

  constructor(why: EngineError['why'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.why = why;
  }
}

/** Whether an engine failed for a reason. */
export function failedAs(error: unknown, why: EngineError['why']): boolean {
  return error instanceof EngineError && error.why === why;
}
