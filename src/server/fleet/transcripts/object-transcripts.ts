import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../../host/transcripts/write-transcript.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { KeyedQueue } from '../../../wire/util/keyed-queue.js';
import type { Objects } from '../engine/engine.js';
import { isOwnName, type KeptFile, type Manifest, readManifest } from './manifest.js';
import {
  hashOfStart,
  projectFolderOf,
  readPart,
  type TranscriptFile,
  transcriptFiles,
} from './transcript-files.js';
import type { TranscriptPlace, TranscriptStore } from './transcript-store.js';

/** Above this number, pieces are joined into one. */
const MAX_PIECES = 16;
const ATTEMPTS = 3;
/** For how many conversations the last save is remembered; others are looked up. */
const MAX_KNOWN = 1_000;

/** What this process saved last, so an unchanged save makes no requests. */
interface Saved {
  readonly manifest: Manifest;
  readonly revision: number;
  readonly files: readonly TranscriptFile[];
}

/**
 * Transcripts as objects in the engine. A file that has grown costs only its new part. The manifest is written last,
 * and only over the one it was made from, so readers see all of a save or nothing, and of two owners only the later one
 * succeeds.
 */
export class ObjectTranscripts implements TranscriptStore {
  readonly #objects: Objects;
  readonly #queue = new KeyedQueue();
  readonly #saved = new Map<string, Saved>();

  constructor(objects: Objects) {
    this.#objects = objects;
  }

  save(place: TranscriptPlace): Promise<void> {
    return this.#queue.run(manifestOf(place), () => this.#save(place));
  }

  async restore(place: TranscriptPlace): Promise<boolean> {
    const kept = await this.#load(manifestOf(place));
    if (kept === undefined) return false;
    const folder = await projectFolderOf(place);
    for (const file of kept.manifest.files) {
      if (isOwnName(file.name, place.conversation)) await this.#restoreFile(file, join(folder, file.name));
    }
    return true;
  }

  /** Manifests and pieces are named after their session. A session may have had several conversations over time. */
  async remove({ session }: Pick<TranscriptPlace, 'session'>): Promise<void> {
    for (const name of this.#saved.keys()) if (name.startsWith(`${session}/`)) this.#saved.delete(name);
    for (const name of await this.#objects.names(`${session}/`)) await this.#objects.delete(name);
  }

  async #save(place: TranscriptPlace): Promise<void> {
    const name = manifestOf(place);
    const files = await transcriptFiles(place);
    if (files.length === 0 || isSame(files, this.#saved.get(name)?.files)) return;
    for (let attempt = 1; ; attempt += 1) {
      const before = this.#saved.get(name) ?? (await this.#load(name));
      if ((before?.manifest.epoch ?? 0) > place.epoch) throw fenced(place);
      try {
        await this.#write(place, files, before);
        return;
      } catch (error) {
        this.#saved.delete(name);
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  async #load(name: string): Promise<Saved | undefined> {
    const info = await this.#objects.info(name);
    if (info === null || info.deleted) return undefined;
    const bytes = await this.#objects.getBlob(name);
    const manifest = bytes === null ? undefined : readManifest(bytes);
    return manifest === undefined ? undefined : { manifest, revision: info.revision, files: [] };
  }

  async #write(
    place: TranscriptPlace,
    files: readonly TranscriptFile[],
    before: Saved | undefined,
  ): Promise<void> {
    const name = manifestOf(place);
    const generation = (before?.manifest.generation ?? 0) + 1;
    const kept: KeptFile[] = [];
    for (const [index, file] of files.entries()) {
      const known = before?.manifest.files.find((each) => each.name === file.name);
      kept.push(await this.#keep(file, known, `${name}/${place.epoch}-${generation}-${index}`));
    }
    const manifest: Manifest = { format: 1, epoch: place.epoch, generation, files: kept };
    const bytes = new TextEncoder().encode(JSON.stringify(manifest));
    const { revision } = await this.#objects.putBlob({ name }, bytes, {
      previousRevision: before?.revision ?? 0,
    });
    this.#saved.delete(name);
    this.#saved.set(name, { manifest, revision, files });
    const [oldest] = this.#saved.keys();
    if (this.#saved.size > MAX_KNOWN && oldest !== undefined) this.#saved.delete(oldest);
    await this.#drop(before?.manifest, manifest);
  }

  /** Saves the new part of a file, or all of it if it was replaced. */
  async #keep(file: TranscriptFile, known: KeptFile | undefined, piece: string): Promise<KeptFile> {
    const { name, bytes, path } = file;
    const grew = known !== undefined && known.sha256 === (await hashOfStart(path, known.bytes));
    if (grew && known.bytes === bytes) return known;
    const from = grew && known.pieces.length < MAX_PIECES ? known.bytes : 0;
    const pieces = from === 0 ? [piece] : [...(known?.pieces ?? []), piece];
    await this.#objects.put({ name: piece }, ReadableStream.from(readPart(path, from, bytes)));
    const sha256 = await hashOfStart(path, bytes);
    if (sha256 === undefined)
      throw new CoxswainError('SESSION_MISSING', `The transcript ${name} became shorter while it was saved.`);
    return { name, bytes, sha256, pieces };
  }

  /** Removes pieces that are no longer referenced. If the engine is unreachable, leftovers do no harm. */
  async #drop(before: Manifest | undefined, now: Manifest): Promise<void> {
    const used = new Set(now.files.flatMap(({ pieces }) => pieces));
    const old = before?.files.flatMap(({ pieces }) => pieces) ?? [];
    for (const piece of old.filter((each) => !used.has(each)))
      await this.#objects.delete(piece).catch(() => {});
  }

  /** The local file may be newer than the saved one: the same worker, or one with the same disk. */
  async #restoreFile(file: KeptFile, path: string): Promise<void> {
    if ((await hashOfStart(path, file.bytes)) === file.sha256) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeWhole(path, async (handle) => {
      const hash = createHash('sha256');
      for (const piece of file.pieces) {
        for await (const chunk of this.#read(piece)) {
          hash.update(chunk);
          await handle.appendFile(chunk);
        }
      }
      if (hash.digest('hex') !== file.sha256) throw damaged(file.name);
    });
  }

  async *#read(piece: string): AsyncGenerator<Uint8Array, void, undefined> {
    const found = await this.#objects.get(piece);
    if (found === null) throw damaged(piece);
    yield* found.data;
    const error = await found.error;
    if (error instanceof Error) throw error;
  }
}

function manifestOf({ session, conversation }: Pick<TranscriptPlace, 'session' | 'conversation'>): string {
  return `${session}/${conversation}`;
}

function isSame(files: readonly TranscriptFile[], saved: readonly TranscriptFile[] | undefined): boolean {
  return (
    saved?.length === files.length &&
    files.every((file, index) => {
      const other = saved[index];
      return file.name === other?.name && file.bytes === other.bytes && file.modified === other.modified;
    })
  );
}

function fenced({ session }: TranscriptPlace): CoxswainError {
  return new CoxswainError(
    'FLEET_FENCED',
    `Another worker has conversation ${session}: its transcript was not saved.`,
  );
}

function damaged(name: string): CoxswainError {
  return new CoxswainError(
    'FLEET_DAMAGED',
    `The copy of the transcript ${name} in NATS is damaged or incomplete.`,
  );
}
