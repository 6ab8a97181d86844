import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenParams, SessionSummary } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';

/** What is kept of a session beside its events. */
export interface SessionRecord {
  /** The server process that has it; {@link NOBODY} once that was stopped. */
  readonly pid: number;
  /** When that was started, as the system counts, where it says: numbers of processes are given again. */
  readonly started?: string | undefined;
  readonly summary: SessionSummary;
  /** How it was opened, to open it again. */
  readonly opened: OpenParams;
}

/** The folders of sessions: one each, for nobody else's eyes. */
export class SessionFiles {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** The folder of a session's log. */
  folderOf(session: string): string {
    return join(this.#root, session);
  }

  /** Sessions that were written down here, and that no other running server has. */
  async list(): Promise<readonly SessionRecord[]> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const names = await readdir(this.#root);
    const records = await Promise.all(names.map((name) => this.#read(name)));
    return records.filter((record) => record !== undefined);
  }

  /** Writes down a session; a reader sees the old state or the new one, nothing between. */
  async save(record: Omit<SessionRecord, 'started'>): Promise<void> {
    const folder = this.folderOf(record.summary.id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, RECORD);
    await writeFile(`${path}.new`, JSON.stringify({ ...record, started: startOf(record.pid) }), {
      mode: 0o600,
    });
    await rename(`${path}.new`, path);
  }

  async remove(session: string): Promise<void> {
    await rm(this.folderOf(session), { recursive: true, force: true });
  }

  async #read(name: string): Promise<SessionRecord | undefined> {
    try {
      const record: unknown = JSON.parse(await readFile(join(this.#root, name, RECORD), 'utf8'));
      if (!isRecord(record) || record.summary.id !== name || isOthers(record)) return undefined;
      return record;
    } catch {
      // A folder of something else, or one that was being made when the machine stopped.
      return undefined;
    }
  }
}

/** The process id of no server. */
export const NOBODY = 0;

const RECORD = 'session.json';

function isRecord(value: unknown): value is SessionRecord {
  return (
    isObject(value) && isObject(value.summary) && isObject(value.opened) && typeof value.pid === 'number'
  );
}

/** Whether another process that still runs has it. */
function isOthers({ pid, started }: SessionRecord): boolean {
  if (pid === process.pid || pid === NOBODY) return false;
  try {
    process.kill(pid, 0);
    return started === undefined || startOf(pid) === started;
  } catch {
    return false;
  }
}

/** When a process was started, in the ticks of a Linux system; undefined elsewhere. */
function startOf(pid: number): string | undefined {
  try {
    // The name before may hold anything, brackets and spaces too.
    const [, rest = ''] = /.*\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[19];
  } catch {
    return undefined;
  }
}
