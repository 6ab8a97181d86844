import type { HistoryEntry, HistoryParams } from '../../../entry/remote/contract.js';
import { listSessions } from '../../../host/transcripts/list-sessions.js';
import { sessionInfo } from '../../../host/transcripts/session-info.js';
import { sessionMessages } from '../../../host/transcripts/session-messages.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { Folders } from './folders.js';

/** What {@link History} works with. */
export interface HistoryParts {
  readonly folders: Folders;
  /** The CLI's own folder, where it is not the usual one. */
  readonly configDir?: string | undefined;
}

/** How many conversations are looked at, and how many are given by default. */
const LOOKED_AT = 2_000;
const GIVEN = 100;

/** Conversations on disk, of the folders below the roots and of no others. */
export class History {
  readonly #parts: HistoryParts;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Lists conversations, newest first. */
  async list(
    { cwd, search = '', limit = GIVEN }: HistoryParams,
    registry: ServedSessions,
  ): Promise<readonly HistoryEntry[]> {
    const { folders, configDir } = this.#parts;
    const dir = cwd === undefined ? undefined : await folders.check(cwd);
    const infos = await listSessions({ dir, configDir, limit: LOOKED_AT, includeWorktrees: false });
    const known = new Map(registry.all.map(({ id, summary }) => [summary.conversation, id]));
    const word = search.toLowerCase();
    return infos
      .filter((info) => (info.cwd === undefined ? dir !== undefined : folders.contains(info.cwd)))
      .filter(({ summary, cwd: folder = '' }) => `${summary} ${folder}`.toLowerCase().includes(word))
      .slice(0, limit)
      .map(({ sessionId, summary, cwd: folder, lastModified, fileSize }) => ({
        conversation: sessionId,
        title: summary,
        cwd: folder,
        changedAt: lastModified,
        bytes: fileSize,
        session: known.get(sessionId),
      }));
  }

  /** The messages of a conversation. */
  async messages(conversation: string, cwd: string | undefined): Promise<readonly WireObject[]> {
    const { folders, configDir } = this.#parts;
    const dir = cwd === undefined ? undefined : await folders.check(cwd);
    const place = { dir, configDir };
    const of = dir ?? (await sessionInfo(conversation, place))?.cwd;
    if (of === undefined || !folders.contains(of)) return [];
    const messages = await sessionMessages(conversation, place);
    return messages.map((message) => ({ ...message }));
  }
}
