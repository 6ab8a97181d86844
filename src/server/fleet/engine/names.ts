import { CoxswainError } from '../../../wire/util/errors.js';

/** Over how many streams the logs are spread: each is a group of replicas with a leader of its own. */
const SHARDS = 4;

/** The names of everything that one fleet has in the engine. */
export class Names {
  readonly namespace: string;
  readonly shards: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard);

  /** @throws CoxswainError `OPTION_INVALID` for a namespace that is no name of a stream. */
  constructor(namespace = 'coxswain') {
    if (!/^[\w-]{1,40}$/.test(namespace)) {
      const message = `A namespace may contain only letters, digits, "_" and "-", at most 40; not ${JSON.stringify(namespace)}.`;
      throw new CoxswainError('OPTION_INVALID', message);
    }
    this.namespace = namespace;
  }

  /** The stream that has the log of a conversation. */
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

  /** The events of a conversation. */
  events(session: string): string {
    return `${this.#of(session)}.e`;
  }

  /** The commands that were accepted for a conversation. */
  commands(session: string): string {
    return `${this.#of(session)}.c`;
  }

  /** Everything that is kept of a conversation in its stream. */
  everything(session: string): string {
    return `${this.#of(session)}.>`;
  }

  /** Pieces of messages, which are not kept. */
  live(session: string): string {
    return `${this.namespace}.live.${session}`;
  }

  /** Where the owner of a conversation takes commands. */
  control(session: string): string {
    return `${this.namespace}.ctl.${session}`;
  }

  /** Where one worker is asked. */
  worker(id: string): string {
    return `${this.namespace}.w.${id}`;
  }

  /** Where any worker is asked. */
  get anyWorker(): string {
    return `${this.namespace}.any`;
  }

  /** Where conversations are given to workers. */
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

/** The same for all versions: FNV-1a. */
function shardOf(session: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < session.length; at += 1) {
    hash = Math.imul(hash ^ session.charCodeAt(at), 0x01000193) >>> 0;
  }
  return hash % SHARDS;
}
