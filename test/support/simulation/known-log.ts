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
  #count = 0;

  constructor(servers: MemoryServers, session: string) {
    this.#servers = servers;
    this.#session = session;
  }

  /** Reads what was stored since. */
  read(): this {
    const stored = this.#servers.part({ session: this.#session, part: 'events' });
    for (const each of stored.slice(this.#count))
      for (const entry of readBatch(each)) {
        this.entries.push(entry);
        const event = ABOUT.test(entry.rest) ? eventOf(entry) : undefined;
        if (isObject(event)) this.#note(event);
      }
    this.#count = stored.length;
    return this;
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
