import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { findTranscript } from '../../../host/transcripts/find-transcript.js';
import { defaultConfigDir, projectKeyOf } from '../../../host/transcripts/project-folders.js';
import { subagentsOf } from '../../../host/transcripts/subagents.js';
import type { TranscriptPlace } from './transcript-store.js';

/** A file of a conversation: its transcript, those of its subagents, or related files. */
export interface TranscriptFile {
  /** Its path in the folder of the project, with slashes. */
  readonly name: string;
  readonly path: string;
  /** How much of it is complete: the last line may still be in the process of being written. */
  readonly bytes: number;
  readonly modified: number;
}

/** The files of a conversation on this machine; none if its CLI has written nothing yet. */
export async function transcriptFiles(place: TranscriptPlace): Promise<readonly TranscriptFile[]> {
  const { conversation, cwd, configDir } = place;
  const found = await findTranscript(conversation, { dir: cwd, configDir });
  if (found === undefined) return [];
  const agents = (await subagentsOf(found)).map(({ file }) => file);
  const beside = await readdir(found.beside, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = beside.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const all = await Promise.all(
    [...new Set([found.file, ...paths, ...agents])].map((path) => fileAt(path, found.folder)),
  );
  return all.filter((file) => file !== undefined);
}

/** Where the files of a conversation belong on this machine. */
export async function projectFolderOf({ cwd, configDir }: TranscriptPlace): Promise<string> {
  const given = resolve(cwd);
  // The CLI uses the real path.
  const real = await realpath(given).catch(() => given);
  return join(resolve(configDir ?? defaultConfigDir()), 'projects', projectKeyOf(real));
}

/** The hash of the start of a file; undefined if the file is shorter or missing. */
export async function hashOfStart(path: string, bytes: number): Promise<string | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined || facts.size < bytes) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of readPart(path, 0, bytes)) hash.update(chunk);
  return hash.digest('hex');
}

/** The bytes of a file between two positions. */
export async function* readPart(
  path: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (to > from) yield* createReadStream(path, { start: from, end: to - 1 });
}

async function fileAt(path: string, folder: string): Promise<TranscriptFile | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) return undefined;
  const bytes = path.endsWith('.jsonl') ? await endOfLines(path, facts.size) : facts.size;
  return { name: relative(folder, path).split(sep).join('/'), path, bytes, modified: facts.mtimeMs };
}

const LOOK_BYTES = 64 * 1024;

/** Where the last complete line ends. */
async function endOfLines(path: string, size: number): Promise<number> {
  await using file = await open(path, 'r');
  for (let end = size; end > 0; end -= LOOK_BYTES) {
    const from = Math.max(0, end - LOOK_BYTES);
    const at = (await bytesAt(file, from, end)).lastIndexOf(0x0a);
    if (at !== -1) return from + at + 1;
  }
  return 0;
}

async function bytesAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, bytesRead);
}
