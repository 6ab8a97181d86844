import { foldSummary } from './fold-summary.js';
import type { SessionKey, SessionStore, StoredSummary, TranscriptEntry } from './store.js';

/** A store that keeps everything in memory: for tests, and as a model for your own store. */
export class MemoryStore implements SessionStore {
  readonly #transcripts = new Map<string, { key: SessionKey; entries: TranscriptEntry[]; mtime: number }>();
  readonly #summaries = new Map<string, StoredSummary>();
  #lastTime = 0;

  /** Appends entries. */
  append(key: SessionKey, entries: TranscriptEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const mtime = this.#tick();
    const name = nameOf(key);
    const before = this.#transcripts.get(name)?.entries ?? [];
    this.#transcripts.set(name, {
      key: { ...key },
      entries: [...before, ...structuredClone(entries)],
      mtime,
    });
    if (key.subpath === undefined) {
      this.#summaries.set(name, foldSummary(this.#summaries.get(name), key, entries, { mtime }));
    }
    return Promise.resolve();
  }

  /** All entries of a transcript, or null. */
  load(key: SessionKey): Promise<TranscriptEntry[] | null> {
    const kept = this.#transcripts.get(nameOf(key));
    return Promise.resolve(kept === undefined ? null : structuredClone(kept.entries));
  }

  /** The sessions of a project. */
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const kept = [...this.#transcripts.values()];
    return Promise.resolve(
      kept
        .filter(({ key }) => key.projectKey === projectKey && key.subpath === undefined)
        .map(({ key, mtime }) => ({ sessionId: key.sessionId, mtime })),
    );
  }

  /** The summaries of a project. */
  listSessionSummaries(projectKey: string): Promise<StoredSummary[]> {
    const named = [...this.#summaries].filter(([name]) => isInProject(name, projectKey));
    return Promise.resolve(named.map(([, summary]) => structuredClone(summary)));
  }

  /** Removes a transcript; without a subpath also those of its subagents. */
  delete(key: SessionKey): Promise<void> {
    this.#transcripts.delete(nameOf(key));
    if (key.subpath !== undefined) return Promise.resolve();
    this.#summaries.delete(nameOf(key));
    for (const [name, kept] of this.#transcripts)
      if (isSameSession(kept.key, key)) this.#transcripts.delete(name);
    return Promise.resolve();
  }

  /** The subpaths below a session. */
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]> {
    const below = [...this.#transcripts.values()].filter((kept) => isSameSession(kept.key, key));
    return Promise.resolve(below.flatMap(({ key: { subpath } }) => (subpath === undefined ? [] : [subpath])));
  }

  /** The entries of a transcript, for tests. */
  getEntries(key: SessionKey): TranscriptEntry[] {
    return structuredClone(this.#transcripts.get(nameOf(key))?.entries ?? []);
  }

  /** The number of sessions; transcripts of subagents do not count. */
  get size(): number {
    return [...this.#transcripts.values()].filter(({ key }) => key.subpath === undefined).length;
  }

  /** Removes everything. */
  clear(): void {
    this.#transcripts.clear();
    this.#summaries.clear();
  }

  /** Two changes never have the same time, so that lists have the order of the changes. */
  #tick(): number {
    this.#lastTime = Math.max(Date.now(), this.#lastTime + 1);
    return this.#lastTime;
  }
}

function nameOf({ projectKey, sessionId, subpath }: SessionKey): string {
  return JSON.stringify([projectKey, sessionId, subpath]);
}

function isInProject(name: string, projectKey: string): boolean {
  const parts: unknown = JSON.parse(name);
  return Array.isArray(parts) && parts[0] === projectKey;
}

function isSameSession(one: SessionKey, other: { projectKey: string; sessionId: string }): boolean {
  return one.projectKey === other.projectKey && one.sessionId === other.sessionId;
}
