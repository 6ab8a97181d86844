import { randomUUID } from 'node:crypto';
import type { SessionKey, SessionStore, TranscriptEntry } from '../../../host/transcripts/store.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import { errorText } from '../../../wire/util/error-text.js';
import { inTime } from './in-time.js';

/** The settings of the mirror. */
export interface MirrorOptions {
  /** Whether every part goes to the store immediately; otherwise parts are collected until a turn ends. */
  readonly eager: boolean;
  readonly clock?: Clock | undefined;
}

/** The maximum number of collected entries. */
const BATCH = 500;
const ATTEMPTS = 3;
const PAUSE_MS = 100;
const APPEND_MS = 60_000;

interface Batch {
  readonly key: SessionKey;
  readonly entries: TranscriptEntry[];
}

/** Copies the CLI's transcript entries to a store, in order. Failures of the store are reported, never thrown. */
export class StoreMirror {
  readonly #store: SessionStore;
  readonly #eager: boolean;
  readonly #clock: Clock;
  #batches: Batch[] = [];
  #gathered = 0;
  #tail: Promise<void> = Promise.resolve();
  #failures: WireObject[] = [];

  constructor(store: SessionStore, { eager, clock = systemClock }: MirrorOptions) {
    this.#store = store;
    this.#eager = eager;
    this.#clock = clock;
  }

  /** Handles a message with which the CLI delivers entries. */
  take({ filePath, entries }: WireObject): void {
    const key = typeof filePath === 'string' ? keyOf(filePath) : undefined;
    if (key === undefined || !Array.isArray(entries)) return;
    this.#gather(key, entries.filter(isObject) as unknown as TranscriptEntry[]);
    if (this.#eager || this.#gathered >= BATCH) void this.flush();
  }

  /** Writes the collected entries; resolves when the store has all of them or has failed. */
  flush(): Promise<void> {
    const batches = this.#batches;
    this.#batches = [];
    this.#gathered = 0;
    for (const batch of batches) this.#tail = this.#tail.then(() => this.#append(batch));
    return this.#tail;
  }

  /** The messages about failures since the last call. */
  takeFailures(): readonly WireObject[] {
    const failures = this.#failures;
    this.#failures = [];
    return failures;
  }

  #gather(key: SessionKey, entries: readonly TranscriptEntry[]): void {
    const last = this.#batches.at(-1);
    if (last !== undefined && isSame(last.key, key)) last.entries.push(...entries);
    else this.#batches.push({ key, entries: [...entries] });
    this.#gathered += entries.length;
  }

  async #append({ key, entries }: Batch): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await inTime(this.#store.append(key, entries), { ms: APPEND_MS, clock: this.#clock, what: 'answer' });
        return;
      } catch (error) {
        if (attempt === ATTEMPTS) {
          this.#failures.push(failure(key, error));
          return;
        }
      }
      await new Promise<void>((resolve) => this.#clock.after(PAUSE_MS * attempt, resolve));
    }
  }
}

function failure(key: SessionKey, error: unknown): WireObject {
  return {
    type: 'system',
    subtype: 'mirror_error',
    error: errorText(error),
    key,
    uuid: randomUUID(),
    session_id: key.sessionId,
  };
}

/** The transcript of a file: `projects/<project>/<session>.jsonl`, or one of its subagents below a folder next to it. */
function keyOf(filePath: string): SessionKey | undefined {
  const parts = filePath.split(/[/\\]/);
  const projects = parts.lastIndexOf('projects');
  const [projectKey, session, ...below] = parts.slice(projects + 1);
  if (projects === -1 || projectKey === undefined || session === undefined) return undefined;
  const sessionId = session.replace(/\.jsonl$/, '');
  const subpath = below.join('/').replace(/\.jsonl$/, '');
  return { projectKey, sessionId, ...(subpath === '' ? {} : { subpath }) };
}

function isSame(one: SessionKey, other: SessionKey): boolean {
  return (
    one.projectKey === other.projectKey && one.sessionId === other.sessionId && one.subpath === other.subpath
  );
}
