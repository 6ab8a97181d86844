import { stat } from 'node:fs/promises';
import { OptionError } from '../../wire/util/option-checks.js';
import { type ReadBytes, readEnds } from './ends.js';
import { type FoundTranscript, transcriptIn } from './find-transcript.js';
import { infoOf } from './fold-summary.js';
import { pageOf } from './page.js';
import { type FolderChoice, projectFolders, transcriptNames } from './project-folders.js';
import { fileInfo, storedInfo } from './session-info.js';
import type { SessionStore } from './store.js';
import { projectKeyIn } from './store-access.js';
import type { Page, SessionInfo, SessionPlace } from './transcript-types.js';

/** The options of {@link listSessions}. */
export interface ListSessionsOptions extends SessionPlace, Page {
  /** Includes the sessions of the other git worktrees of `dir`. Default: true. */
  readonly includeWorktrees?: boolean | undefined;
  /** Includes sessions that were run by programs. Default: true. */
  readonly includeProgrammatic?: boolean | undefined;
}

/** How many transcripts are open at once. */
const AT_ONCE = 16;

/** Lists sessions, most recently changed first. Reads only the start and end of each transcript. */
export function listSessions(options: ListSessionsOptions = {}): Promise<SessionInfo[]> {
  const { sessionStore } = options;
  return sessionStore === undefined ? listOnDisk(options) : listStored(sessionStore, options);
}

/** The sessions on disk; only as many transcripts are opened as the page needs. */
export async function listOnDisk(options: ListSessionsOptions, read?: ReadBytes): Promise<SessionInfo[]> {
  const { from, to } = pageOf(options);
  const infos: SessionInfo[] = [];
  const files = await newestFirst(options);
  for (let at = 0; at < files.length && infos.length < to; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const infosOf = await Promise.all(some.map(({ found }) => listed(found, options, read)));
    infos.push(...infosOf.flatMap((info) => info ?? []));
  }
  return infos.slice(from, to);
}

/** A transcript, and when it was changed. */
export interface DatedTranscript {
  readonly found: FoundTranscript;
  /** The time, in milliseconds since 1970. */
  readonly time: number;
}

/** The transcripts on disk. A session in several projects counts once, where it was changed last. */
export async function newestFirst(options: FolderChoice): Promise<readonly DatedTranscript[]> {
  const folders = await projectFolders(options);
  const dated: DatedTranscript[] = [];
  for (const folder of folders) {
    const names = await transcriptNames(folder);
    const found = names.map((name) => transcriptIn(folder, name.slice(0, -'.jsonl'.length)));
    const times = await Promise.all(found.map(({ file }) => stat(file).catch(() => undefined)));
    found.forEach((each, index) => {
      const facts = times[index];
      if (facts?.isFile()) dated.push({ found: each, time: facts.mtimeMs });
    });
  }
  dated.sort((one, other) => other.time - one.time || (one.found.sessionId < other.found.sessionId ? -1 : 1));
  const once = new Map(dated.toReversed().map(({ found }) => [found.sessionId, found]));
  return dated.filter(({ found }) => once.get(found.sessionId) === found);
}

async function listed(
  found: FoundTranscript,
  { includeProgrammatic = true }: ListSessionsOptions,
  read: ReadBytes | undefined,
): Promise<SessionInfo | undefined> {
  if (!includeProgrammatic && (await isProgrammatic(found, read))) return undefined;
  return fileInfo(found, read);
}

const PROGRAMS = ['sdk-cli', 'sdk-ts', 'sdk-py'];

async function isProgrammatic({ file }: FoundTranscript, read: ReadBytes | undefined): Promise<boolean> {
  const entrypoint = (await readEnds(file, read))?.first('entrypoint');
  return entrypoint !== undefined && PROGRAMS.includes(entrypoint);
}

async function listStored(store: SessionStore, options: ListSessionsOptions): Promise<SessionInfo[]> {
  const infos = await storedInfos(store, options);
  infos.sort((one, other) => other.lastModified - one.lastModified);
  const { from, to } = pageOf(options);
  return infos.slice(from, to);
}

async function storedInfos(store: SessionStore, options: ListSessionsOptions): Promise<SessionInfo[]> {
  const projectKey = projectKeyIn(options);
  if (store.listSessionSummaries !== undefined) {
    const summaries = await store.listSessionSummaries(projectKey);
    return summaries.flatMap(({ sessionId, mtime, data }) => infoOf(sessionId, data, mtime) ?? []);
  }
  if (store.listSessions === undefined) {
    throw new OptionError('sessionStore', 'The store cannot list sessions: it has no listSessions().');
  }
  const infos: SessionInfo[] = [];
  for (const { sessionId, mtime } of await store.listSessions(projectKey)) {
    const info = await storedInfo(sessionId, options, mtime);
    if (info !== undefined) infos.push(info);
  }
  return infos;
}
