import { CoxswainError } from '../../../wire/util/errors.js';

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

  /** Who owns a conversation. */
  epoch(session: string): string {
    return `${this.#of(session)}.epoch`;
  }

  /** A conversation's events. */
  events(session: string): string {
    return `${this.#of(session)}.e`;
  }

  /** The accepted commands of a conversation. */
  commands(session: string): string {
    return `${this.#of(session)}.c`;
  }

  /** Everything in a conversation's stream. */
  everything(session: string): string {
    return `${this.#of(session)}.>`;
  }

  /** Partial messages, which are not stored. */
  live(session: string): string {
    return `${this.namespace}.live.${session}`;
  }

  /** Where a conversation's owner receives commands. */
  control(session: string): string {
    return `${this.namespace}.ctl.${session}`;
  }

  /** Requests to one worker. */
  worker(id: string): string {
    return `${this.namespace}.w.${id}`;
  }

  /** Requests to any worker. */
  get anyWorker(): string {
    return `${this.namespace}.any`;
  }

  /** Where conversations are assigned to workers. */
  get place(): string {
    return `${this.namespace}.place`;
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

/** FNV-1a; must stay the same in all versions. */
function shardOf(session: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < session.length; at += 1) {
    hash = Math.imul(hash ^ session.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash % SHARDS;
}
