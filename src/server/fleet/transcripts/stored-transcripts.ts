import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findTranscript } from '../../../host/transcripts/find-transcript.js';
import { fileSource } from '../../../host/transcripts/source.js';
import type { SessionKey, SessionStore, TranscriptEntry } from '../../../host/transcripts/store.js';
import { appendInBatches } from '../../../host/transcripts/store-access.js';
import { METADATA_TYPE, metadataOf, subagentsOf } from '../../../host/transcripts/subagents.js';
import { writeTranscript, writeWhole } from '../../../host/transcripts/write-transcript.js';
import { isOwnName } from './manifest.js';
import { projectFolderOf } from './transcript-files.js';
import type { TranscriptPlace, TranscriptStore } from './transcript-store.js';

/** The project of a fleet's conversations in a store: their folders differ from machine to machine. */
const PROJECT = 'coxswain-fleet';

/** For how many transcripts the position is remembered; others are looked up. */
const MAX_KNOWN = 1_000;

/** How much of a transcript the store has. */
interface Progress {
  /** The number of entries in the store. */
  readonly entries: number;
  /** The CLI's metadata has been saved too. */
  readonly isNoted: boolean;
  /** The file's size and time at that point. */
  readonly stamp: string;
}

/**
 * Transcripts in your own store. A store knows no owners: a concurrent save of an old owner is not
 * refused, unlike with the engine's own objects.
 */
export class StoredTranscripts implements TranscriptStore {
  readonly #store: SessionStore;
  readonly #progress = new Map<string, Progress>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  async save({ conversation, cwd, configDir }: TranscriptPlace): Promise<void> {
    const found = await findTranscript(conversation, { dir: cwd, configDir });
    if (found === undefined) return;
    await this.#saveFile(found.file, keyOf(conversation));
    for (const agent of await subagentsOf(found)) {
      await this.#saveFile(agent.file, keyOf(conversation, agent.subpath), () => metadataOf(agent));
    }
  }

  async restore(place: TranscriptPlace): Promise<boolean> {
    const { conversation } = place;
    const entries = await this.#store.load(keyOf(conversation));
    if (entries === null || entries.length === 0) return false;
    const folder = await projectFolderOf(place);
    await writeLonger(join(folder, `${conversation}.jsonl`), entries);
    const subpaths =
      (await this.#store.listSubkeys?.({ projectKey: PROJECT, sessionId: conversation })) ?? [];
    for (const subpath of subpaths) await this.#restoreBelow(folder, conversation, subpath);
    return true;
  }

  async remove({ conversation }: Pick<TranscriptPlace, 'conversation'>): Promise<void> {
    this.#progress.clear();
    await this.#store.delete?.(keyOf(conversation));
  }

  async #saveFile(
    file: string,
    key: SessionKey,
    noted?: () => Promise<Record<string, unknown>>,
  ): Promise<void> {
    const name = `${key.sessionId}/${key.subpath ?? ''}`;
    const facts = await stat(file);
    const stamp = `${facts.size} ${facts.mtimeMs}`;
    const before = this.#progress.get(name) ?? (await this.#progressOf(key));
    if (before.stamp === stamp) return;
    let entries = 0;
    const fresh = async function* (): AsyncGenerator<TranscriptEntry, void, undefined> {
      for await (const entry of entriesIn(file)) {
        entries += 1;
        if (entries > before.entries) yield entry;
      }
    };
    await appendInBatches(this.#store, key, fresh());
    const about = before.isNoted ? {} : ((await noted?.()) ?? {});
    const isNoted = Object.keys(about).length > 0;
    if (isNoted) await this.#store.append(key, [{ ...about, type: METADATA_TYPE }]);
    if (this.#progress.size >= MAX_KNOWN) this.#progress.clear();
    this.#progress.set(name, {
      entries: Math.max(entries, before.entries),
      isNoted: isNoted || before.isNoted,
      stamp,
    });
  }

  async #progressOf(key: SessionKey): Promise<Progress> {
    const there = (await this.#store.load(key)) ?? [];
    const own = there.filter(({ type }) => type !== METADATA_TYPE).length;
    return { entries: own, isNoted: own < there.length, stamp: '' };
  }

  async #restoreBelow(folder: string, conversation: string, subpath: string): Promise<void> {
    const name = `${conversation}/${subpath}`;
    const entries = isOwnName(name, conversation)
      ? await this.#store.load(keyOf(conversation, subpath))
      : null;
    if (entries === null) return;
    const path = join(folder, name);
    await writeLonger(
      `${path}.jsonl`,
      entries.filter(({ type }) => type !== METADATA_TYPE),
    );
    const noted = entries.findLast(({ type }) => type === METADATA_TYPE);
    if (noted === undefined) return;
    const { type: _type, ...facts } = noted;
    await writeWhole(`${path}.meta.json`, (handle) => handle.writeFile(JSON.stringify(facts)));
  }
}

function keyOf(conversation: string, subpath?: string): SessionKey {
  return { projectKey: PROJECT, sessionId: conversation, ...(subpath === undefined ? {} : { subpath }) };
}

/** Writes a transcript unless the existing one is as long or longer. */
async function writeLonger(file: string, entries: readonly TranscriptEntry[]): Promise<void> {
  let there = 0;
  for await (const _entry of entriesIn(file)) there += 1;
  if (there >= entries.length) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeTranscript(file, iterate(entries));
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* items;
}

async function* entriesIn(file: string): AsyncGenerator<TranscriptEntry, void, undefined> {
  await using source = await fileSource(file);
  if (source === undefined) return;
  for await (const { entry } of source.entries()) {
    if (typeof entry.type === 'string') yield { ...entry, type: entry.type };
  }
}
