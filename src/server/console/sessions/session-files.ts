import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenParams, SessionSummary } from '../../../entry/remote/contract.js';
import { replaceFile } from '../../../wire/files/replace-file.js';
import { isSameProcess, type ProcessId, processId } from '../../../wire/transport/process/process-id.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { faultOf, kinds } from '../../../wire/util/option-checks.js';
import { fileLine, type LogEntry } from '../log/entry.js';
import { segmentName } from '../log/segments.js';
import { storedSession } from './stored-record.js';

/**
 * What is stored of a session besides its events, and the server process that owns it ({@link NOBODY} once
 * that has stopped).
 */
export interface SessionRecord extends ProcessId {
  /** The CLI's process, if there is one. */
  readonly cli?: ProcessId | undefined;
  readonly summary: SessionSummary;
  /** How it was opened, to open it again. */
  readonly opened: OpenParams;
}

/** The sessions' folders: one each, private. */
export class SessionFiles {
  readonly #root: string;
  /** Sessions whose record cannot be used. */
  readonly #damaged = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** The folder of a session's log. */
  folderOf(session: string): string {
    return join(this.#root, session);
  }

  /** Sessions stored here that no other running server owns. */
  async list(): Promise<SessionList> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const names = (await readdir(this.#root)).filter((name) => kinds.uuid.accepts(name));
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return {
      records: found.filter((each) => typeof each === 'object').filter((record) => !isOthers(record)),
      damaged: [...this.#damaged],
      problems: found.filter((each) => typeof each === 'string'),
    };
  }

  /** Saves a session; a reader sees either the old state or the new one. */
  async save(record: Omit<SessionRecord, 'started'>): Promise<void> {
    const folder = this.folderOf(record.summary.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, RECORD);
    const kept: SessionRecord = { ...record, ...processId(record.pid) };
    await writeFile(`${path}.new`, JSON.stringify(kept), { mode: 0o600 });
    await replaceFile(`${path}.new`, path);
  }

  /** Makes room for a new session under the id of a damaged one, which is kept under another name. */
  async setDamagedAside(session: string): Promise<void> {
    if (!this.#damaged.delete(session)) return;
    await rename(this.folderOf(session), `${this.folderOf(session)}.damaged-${randomUUID()}`);
  }

  /** Writes a log that was stored elsewhere. */
  async writeLog(session: string, events: AsyncIterable<LogEntry>): Promise<void> {
    await this.setDamagedAside(session);
    const folder = this.folderOf(session);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, segmentName(1)), linesOf(events), { mode: 0o600 });
  }

  async remove(session: string): Promise<void> {
    // On Windows, a file of its CLI may still be open for a moment.
    await rm(this.folderOf(session), { recursive: true, force: true, maxRetries: 5 });
  }

  async #read(name: string): Promise<SessionRecord | string | undefined> {
    const found = await this.#recordIn(name);
    if (typeof found === 'string') this.#damaged.add(name);
    return found;
  }

  /** What is stored of a session, or why it cannot be read. */
  async #recordIn(name: string): Promise<SessionRecord | string | undefined> {
    const path = join(this.#root, name, RECORD);
    try {
      const record: unknown = JSON.parse(await readFile(path, 'utf8'));
      const fault = faultOf(storedSession, record);
      if (fault !== undefined) return `${path} is left out, because it is damaged: ${fault}.`;
      const found = record as SessionRecord;
      return found.summary.id === name ? found : `${path} is left out: it belongs to another session.`;
    } catch (error) {
      // A session that was being created when the machine stopped contains nothing of value.
      if (errorCode(error) === 'ENOENT') return undefined;
      return `${path} cannot be read: ${errorText(error)}.`;
    }
  }
}

/** Lines of a log, many at a time: each part is written to disk on its own. */
async function* linesOf(events: AsyncIterable<LogEntry>): AsyncGenerator<string, void, undefined> {
  let lines = '';
  for await (const entry of events) {
    lines += fileLine(entry);
    if (lines.length < WRITE_AT_ONCE) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}

/** What was found on disk. */
export interface SessionList {
  readonly records: readonly SessionRecord[];
  /** The ids of those whose record cannot be used. */
  readonly damaged: readonly string[];
  /** Why other sessions are missing. */
  readonly problems: readonly string[];
}

/** The process id of no server. */
export const NOBODY = 0;

const RECORD = 'session.json';
/** The number of characters to write at once. */
const WRITE_AT_ONCE = 256 * 1024;

/** Whether another running process owns it. */
function isOthers(record: SessionRecord): boolean {
  return record.pid !== process.pid && record.pid !== NOBODY && isSameProcess(record);
}
