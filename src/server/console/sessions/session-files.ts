import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenParams, SessionSummary } from '../../../entry/remote/contract.js';
import { replaceFile } from '../../../wire/files/replace-file.js';
import { isObject } from '../../../wire/protocol/frames.js';
import { isSameProcess, type ProcessId, processId } from '../../../wire/transport/process/process-id.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { kinds } from '../../../wire/util/option-checks.js';
import { fileLine, type LogEntry } from '../log/entry.js';
import { segmentName } from '../log/segments.js';

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

  /** Writes a log that was stored elsewhere. */
  async writeLog(session: string, events: AsyncIterable<LogEntry>): Promise<void> {
    const folder = this.folderOf(session);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, segmentName(1)), linesOf(events), { mode: 0o600 });
  }

  async remove(session: string): Promise<void> {
    // On Windows, a file of its CLI may still be open for a moment.
    await rm(this.folderOf(session), { recursive: true, force: true, maxRetries: 5 });
  }

  /** What is stored of a session, or why it cannot be read. */
  async #read(name: string): Promise<SessionRecord | string | undefined> {
    const path = join(this.#root, name, RECORD);
    try {
      const record: unknown = JSON.parse(await readFile(path, 'utf8'));
      if (isRecord(record) && record.summary.id === name) return record;
      return `${path} was not written by a console.`;
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
  /** Why other sessions are missing. */
  readonly problems: readonly string[];
}

/** The process id of no server. */
export const NOBODY = 0;

const RECORD = 'session.json';
/** The number of characters to write at once. */
const WRITE_AT_ONCE = 256 * 1024;

function isRecord(value: unknown): value is SessionRecord {
  return (
    isObject(value) && isObject(value.summary) && isObject(value.opened) && typeof value.pid === 'number'
  );
}

/** Whether another running process owns it. */
function isOthers(record: SessionRecord): boolean {
  return record.pid !== process.pid && record.pid !== NOBODY && isSameProcess(record);
}
