import { CoxswainError } from '../../../wire/util/errors.js';
import type { LogKey } from '../engine/engine.js';

/** The number of streams that the logs are spread over: each is a replica group with its own leader. */
const SHARDS = 4;

/** The names of everything that one fleet stores in the engine. */
export class Names {
  readonly namespace: string;
  readonly shards: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

  /** @throws CoxswainError `OPTION_INVALID` for a namespace that is not a valid stream name. */
  constructor(namespace = 'coxswain') {
    if (!/^[\w-]{1,40}$/.test(namespace)) {
      const message = `A namespace may contain only letters, digits, "_" and "-", at most 40; not ${JSON.stringify(namespace)}.`;
      throw new CoxswainError('OPTION_INVALID', message);
    }
    this.namespace = namespace;
  }

  /** The stream with a conversation's log. */
  streamOf(session: string): string {
    return this.stream(shardOf(session));
  }

  stream(shard: number): string {
    return `${this.namespace}_EVT_${shard}`;
  }

  /** All subjects of a stream of logs. */
  subjectsOf(shard: number): string {
    return `${this.namespace}.evt.${shard}.>`;
  }

  /** The subject of a part of a conversation's log. */
  log({ session, part }: LogKey): string {
    return `${this.#of(session)}.${PARTS[part]}`;
  }

  /** Who owns a conversation. */
  epoch(session: string): string {
    return this.log({ session, part: 'epoch' });
  }

  /** A conversation's events. */
  events(session: string): string {
    return this.log({ session, part: 'events' });
  }

  /** Everything in a conversation's stream. */
  everything(session: string): string {
    return `${this.#of(session)}.>`;
  }

  /** The subject of an address on the bus. */
  bus(address: string): string {
    return `${this.namespace}.${address}`;
  }

  get workers(): string {
    return `${this.namespace}_workers`;
  }

  get sessions(): string {
    return `${this.namespace}_sessions`;
  }

  get blobs(): string {
    return `${this.namespace}_blobs`;
  }

  get transcripts(): string {
    return `${this.namespace}_transcripts`;
  }

  #of(session: string): string {
    return `${this.namespace}.evt.${shardOf(session)}.${session}`;
  }
}

/** The last token of each part's subject; must stay the same in all versions. */
const PARTS = { epoch: 'epoch', events: 'e', commands: 'c' } as const;

/** FNV-1a; must stay the same in all versions. */
function shardOf(session: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < session.length; at += 1) {
    hash = Math.imul(hash ^ session.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash % SHARDS;
}
