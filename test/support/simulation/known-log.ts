import { eventOf, type LogEntry } from '../../../src/server/console/log/entry.js';
import { readBatch } from '../../../src/server/fleet/log/batches.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { MemoryServers } from './memory-engine.js';
import { ITSELF } from './sessions.js';

const ABOUT = /^"kind":"(?:queued|settled|prompt|prompt-settled)"/;

/** What the stored events of a conversation say, as far as they were read. */
export class KnownLog {
  readonly entries: LogEntry[] = [];
  /** How messages ended, each as often as that was stored. */
  readonly outcomes = new Map<string, unknown[]>();
  /** What happened to each prompt, in order. */
  readonly prompts = new Map<string, string[]>();
  /** The messages that are in it. */
  readonly queued = new Set<string>();
  /** The messages that told a CLI about an answer. */
  readonly told = new Set<string>();
  readonly #servers: MemoryServers;
  readonly #session: string;
  #first: number | undefined;
  #sequence = 0;

  constructor(servers: MemoryServers, session: string) {
    this.#servers = servers;
    this.#session = session;
  }

  /** Reads what was stored since. */
  read(): this {
    const stored = this.#servers.part({ session: this.#session, part: 'events' });
    // What an owner left that was lost before its record is removed.
    if (stored[0]?.sequence !== this.#first) this.#forget();
    this.#first = stored[0]?.sequence;
    for (const each of stored.filter(({ sequence }) => sequence > this.#sequence)) {
      this.#sequence = each.sequence;
      for (const entry of readBatch(each)) {
        this.entries.push(entry);
        const event = ABOUT.test(entry.rest) ? eventOf(entry) : undefined;
        if (isObject(event)) this.#note(event);
      }
    }
    return this;
  }

  #forget(): void {
    this.entries.length = 0;
    this.#sequence = 0;
    for (const known of [this.outcomes, this.prompts, this.queued, this.told]) known.clear();
  }

  /** The prompts that wait for an answer. */
  get open(): readonly string[] {
    return [...this.prompts].flatMap(([prompt, known]) => (known.at(-1) === 'open' ? prompt : []));
  }

  #note({ kind, uuid, outcome, by, prompt, how }: WireObject): void {
    const id = String(uuid);
    if (kind === 'settled') this.outcomes.set(id, [...(this.outcomes.get(id) ?? []), outcome]);
    else if (kind === 'queued') {
      this.queued.add(id);
      if (isObject(by) && by.client === ITSELF.client) this.told.add(id);
    } else {
      const name = isObject(prompt) ? String(prompt.id) : String(prompt);
      this.prompts.set(name, [...(this.prompts.get(name) ?? []), kind === 'prompt' ? 'open' : String(how)]);
    }
  }
}
