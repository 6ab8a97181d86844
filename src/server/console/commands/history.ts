import { basename } from 'node:path';
import type {
  HistoryEntry,
  HistoryParams,
  OpenParams,
  SearchParams,
  SearchView,
  SessionSummary,
  UsageParams,
  UsageView,
} from '../../../entry/remote/contract.js';
import { deleteSession } from '../../../host/transcripts/change-session.js';
import { readEnds } from '../../../host/transcripts/ends.js';
import { findTranscript } from '../../../host/transcripts/find-transcript.js';
import { forkSession } from '../../../host/transcripts/fork-session.js';
import { listSessions } from '../../../host/transcripts/list-sessions.js';
import { projectKeyOf } from '../../../host/transcripts/project-folders.js';
import { asSessionId, sessionMissing } from '../../../host/transcripts/session-id.js';
import { type SessionMessagesOptions, sessionMessages } from '../../../host/transcripts/session-messages.js';
import type { SessionInfo } from '../../../host/transcripts/transcript-types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { Folders } from './folders.js';
import { searchHistory } from './history-search.js';
import { HistoryUsage } from './history-usage.js';

/** The dependencies of {@link History}. */
export interface HistoryParts {
  readonly folders: Folders;
  /** The CLI's own folder, if it is not the default. */
  readonly configDir?: string | undefined;
}

/** How many conversations are read. */
const LOOKED_AT = 2_000;
/** How many are returned by default. */
export const HISTORY_LIMIT = 100;

/** Conversations on disk, only in folders below the roots. */
export class History {
  readonly #parts: HistoryParts;
  readonly #usage = new HistoryUsage();

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Lists conversations, newest first. */
  async list(
    { cwd, search = '', limit = HISTORY_LIMIT }: HistoryParams,
    registry: ServedSessions,
  ): Promise<readonly HistoryEntry[]> {
    const { folders, configDir } = this.#parts;
    const dir = cwd === undefined ? undefined : await folders.check(cwd);
    const infos = await listSessions({ dir, configDir, limit: LOOKED_AT, includeWorktrees: false });
    const word = search.toLowerCase();
    return infos
      .filter((info) => this.#isOurs(info, dir))
      .map(entriesWith(registry))
      .filter(({ title, cwd: folder = '' }) => `${title} ${folder}`.toLowerCase().includes(word))
      .slice(0, limit);
  }

  /** Searches messages. */
  async search(params: SearchParams, registry: ServedSessions, signal: AbortSignal): Promise<SearchView> {
    const { folders, configDir } = this.#parts;
    const dir = params.cwd === undefined ? undefined : await folders.check(params.cwd);
    const isOurs = (info: SessionInfo) => this.#isOurs(info, dir);
    const entryOf = entriesWith(registry);
    return searchHistory(params, { dir, configDir, isOurs, entryOf, now: Date.now, signal });
  }

  /** Usage by day and folder. */
  usage(params: UsageParams, signal: AbortSignal): Promise<UsageView> {
    const { configDir } = this.#parts;
    const isOurs = (info: SessionInfo) => this.#isOurs(info, undefined);
    return this.#usage.read(params, { configDir, isOurs, now: Date.now, signal });
  }

  /** A transcript without a folder is ours if it was found through one. */
  #isOurs({ cwd }: SessionInfo, dir: string | undefined): boolean {
    return cwd === undefined ? dir !== undefined : this.#parts.folders.contains(cwd);
  }

  /** The messages of a conversation. */
  async messages(
    conversation: string,
    cwd: string | undefined,
    page: Pick<SessionMessagesOptions, 'limit' | 'offset' | 'includeSystemMessages'> = {},
  ): Promise<readonly WireObject[]> {
    const { folders, configDir } = this.#parts;
    const dir = cwd === undefined ? undefined : await folders.check(cwd);
    if ((await this.#whose(conversation, dir)) !== 'ours') return [];
    const messages = await sessionMessages(conversation, { dir, configDir, ...page });
    return messages.map((message) => ({ ...message }));
  }

  /**
   * Checks which conversation a new CLI continues, like a path: a CLI also takes the path of a transcript, and finds
   * conversations of any folder. One that the server knows may be missing. The newest one gets its name here. @throws
   * CoxswainError `FOLDER_REFUSED` or `SESSION_MISSING`.
   */
  async checkResume(opened: OpenParams, isKnown: boolean): Promise<OpenParams> {
    const { cwd, program } = opened;
    const named = [opened.resume, program?.options.resume].filter((asked) => asked !== undefined);
    for (const asked of named) await this.#checkResume(String(asked), cwd, isKnown);
    // Together they are refused with all other options before a CLI starts.
    if (program?.options.continue !== true || named.length > 0) return opened;
    const { continue: _newest, ...options } = program.options;
    const resume = await this.#newest(cwd);
    return { ...opened, program: { ...program, options: { ...options, resume } } };
  }

  /** The newest conversation of a folder: a CLI would also take one of a folder with a similar name. */
  async #newest(dir: string): Promise<string> {
    const { configDir } = this.#parts;
    for (const { sessionId } of await listSessions({ dir, configDir, includeWorktrees: false }))
      if ((await this.#whose(sessionId, dir)) === 'ours') return sessionId;
    throw new CoxswainError('SESSION_MISSING', `There is no conversation in ${dir} to continue.`);
  }

  async #checkResume(conversation: string, dir: string, isKnown: boolean): Promise<void> {
    const isPath = /[/\\]|\.jsonl$/i.test(conversation);
    const here = isPath ? 'refused' : await this.#whose(conversation, dir);
    const whose = here === 'missing' ? await this.#whose(conversation, undefined) : here;
    if (whose === 'refused') {
      const message = `The conversation ${conversation} is not one of a folder below the roots.`;
      throw new CoxswainError('FOLDER_REFUSED', message);
    }
    // A CLI would start a new conversation instead.
    if (here === 'missing' && !isKnown) throw sessionMissing(conversation, { dir });
  }

  /** Whose conversation it is: of a folder below the roots, of another folder, or nobody's. */
  async #whose(conversation: string, dir: string | undefined): Promise<'ours' | 'refused' | 'missing'> {
    const { folders, configDir } = this.#parts;
    const id = asSessionId(conversation);
    const found = id === undefined ? undefined : await findTranscript(id, { dir, configDir });
    if (found === undefined) return 'missing';
    const cwd = (await readEnds(found.file))?.first('cwd');
    if (cwd !== undefined && folders.contains(cwd)) return 'ours';
    // Folders with similar names share a project; a transcript from elsewhere was moved into this one.
    const isHere = dir !== undefined && basename(found.folder) === projectKeyOf(dir);
    const isMoved = cwd === undefined || projectKeyOf(cwd) !== basename(found.folder);
    return isHere && isMoved ? 'ours' : 'refused';
  }

  /** What to open for a copy that ends before a message: that copy, or a new conversation if nothing comes before. */
  async cutCopy({ before: _before, ...opened }: OpenParams, before: string): Promise<OpenParams> {
    const { resume = '', forkSession: forks = false, cwd, title } = opened;
    if (!forks)
      throw new CoxswainError('COMMAND_INVALID', '"before" applies only to forks: set "forkSession" too.');
    const messages = await this.messages(resume, cwd);
    const at = messages.findIndex(({ uuid }) => uuid === before);
    if (at < 0)
      throw new CoxswainError('COMMAND_INVALID', `The conversation has no message ${before} on disk.`);
    const upToMessageId = messages[at - 1]?.uuid;
    const rest = { ...opened, resume: undefined, forkSession: undefined };
    if (typeof upToMessageId !== 'string') return rest;
    const place = { dir: await this.#parts.folders.check(cwd), configDir: this.#parts.configDir };
    const { sessionId } = await forkSession(resume, { ...place, upToMessageId, title });
    return { ...rest, resume: sessionId };
  }

  /** Deletes a session's conversation if it is below the roots. */
  async delete({ conversation, cwd }: Pick<SessionSummary, 'conversation' | 'cwd'>): Promise<void> {
    const { folders, configDir } = this.#parts;
    if (conversation === undefined) return;
    await deleteSession(conversation, { dir: await folders.check(cwd), configDir });
  }
}

/** Creates list entries, with the sessions of this server that use them, under the same names as these. */
function entriesWith(registry: ServedSessions): (info: SessionInfo) => HistoryEntry {
  const known = new Map(registry.all.map(({ summary }) => [summary.conversation, summary]));
  return ({ sessionId, summary, cwd, lastModified, fileSize }) => ({
    conversation: sessionId,
    title: known.get(sessionId)?.title || summary,
    cwd,
    changedAt: lastModified,
    bytes: fileSize,
    session: known.get(sessionId)?.id,
  });
}
