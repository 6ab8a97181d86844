import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileLines } from '../../../wire/trace/read/file-lines.js';
import { TraceFile } from '../../../wire/trace/record/trace-file.js';
import { CLOSE_WAIT_MS } from '../../../wire/trace/record/trace-sink.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { fileLine, type LogEntry, readFileLine } from './entry.js';
import type { Tail } from './tail.js';

/** The dependencies of {@link Segments}. */
export interface SegmentOptions {
  /** The folder of one session's log. */
  readonly folder: string;
  /** The maximum size of one file. */
  readonly segmentBytes: number;
  /** The maximum size of all files together. */
  readonly maxBytes: number;
  readonly clock?: Clock | undefined;
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

interface Segment {
  readonly first: number;
  readonly path: string;
  size: number;
  /** Settles when nothing writes to it any more. */
  closed: Promise<void>;
  /** Whether its end could not be written. */
  failed?: boolean;
}

/** The files of a log, each named after its first number; beyond the limit, the oldest are deleted. */
export class Segments {
  readonly #options: SegmentOptions;
  #segments: Segment[] = [];
  #file: TraceFile | undefined;
  /** Full files that the disk does not have yet, oldest first. */
  readonly #full = new Set<TraceFile>();
  #header = '';
  #isDown = false;
  /** Whether it finds out if there is room again. */
  #isTrying = false;
  #removals: Promise<unknown> = Promise.resolve();

  constructor(options: SegmentOptions) {
    this.#options = options;
  }

  /** Finds earlier files; new entries never go into one of them. */
  async open(): Promise<void> {
    const { folder } = this.#options;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const names = (await readdir(folder)).filter((name) => NAME.test(name)).sort();
    this.#segments = await Promise.all(
      names.map(async (name) => {
        const path = join(folder, name);
        return { first: firstIn(name), path, size: (await stat(path)).size, closed: Promise.resolve() };
      }),
    );
  }

  /** The first number that is still available; undefined before anything was written. */
  get first(): number | undefined {
    return this.#segments[0]?.first;
  }

  /** The first number of the latest file. */
  get lastFirst(): number | undefined {
    return this.#segments.at(-1)?.first;
  }

  /** The entries of the latest file, or those at its end. */
  async *last(whole: boolean): AsyncGenerator<LogEntry, void, undefined> {
    const segment = this.#segments.at(-1);
    if (segment === undefined) return;
    const start = whole ? 0 : Math.max(0, segment.size - TAIL);
    let found = false;
    for await (const entry of entriesIn(segment.path, start)) {
      found = true;
      yield entry;
    }
    // The last line may be longer than the part that was read.
    if (!found && start > 0) yield* entriesIn(segment.path);
  }

  /** Every file starts with a header, so it can be read on its own. */
  noteHeader(line: string): void {
    this.#header = line;
  }

  /** Whether nothing is written any more, because the disk is full or fails. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /**
   * The last number that is on disk, without a gap before it. Files after the first one that failed are deleted. Rejects
   * if that cannot be read: its events are not missing.
   */
  async lastStored(): Promise<number> {
    const there = new Set(await readdir(this.#options.folder));
    const end = this.#segments.findIndex(({ failed }) => failed === true) + 1;
    const after = end === 0 ? [] : this.#segments.splice(end);
    // A disk that fails may refuse this too.
    for (const { path, closed } of after) await closed.then(() => rm(path, { force: true })).catch(() => {});
    for (const segment of this.#segments.toReversed()) {
      await segment.closed;
      if (!there.has(segmentName(segment.first))) continue;
      let last = 0;
      for await (const { n } of read(segment.path)) last = n;
      if (last > 0) return last;
    }
    return 0;
  }

  /** Starts again with a file that has these entries; returns whether they are on disk. */
  async restart(entries: readonly LogEntry[]): Promise<boolean> {
    const [first] = entries;
    if (first === undefined) return false;
    this.#isDown = false;
    this.#isTrying = true;
    this.#next(first.n);
    const segment = this.#segments.at(-1);
    const lines = entries.map(fileLine).join('');
    this.#file?.write(lines);
    if (segment !== undefined) segment.size += lines.length;
    await this.#file?.flush();
    this.#isTrying = false;
    for (const each of this.#isDown ? [] : this.#segments) each.failed = false;
    if (!this.#isDown) return true;
    this.#segments.pop();
    // The same.
    if (segment !== undefined) await rm(segment.path, { force: true }).catch(() => {});
    return false;
  }

  /** Adds a line, which is the entry with this number. */
  write(line: string, n: number): void {
    if (this.#isDown || this.#isTrying) return;
    const current = this.#file === undefined ? undefined : this.#segments.at(-1);
    if (current === undefined || current.size + line.length > this.#options.segmentBytes) this.#next(n);
    const segment = this.#segments.at(-1);
    if (segment === undefined) return;
    segment.size += line.length;
    this.#file?.write(line);
  }

  /** The stored entries from a number on. Entries that are too old have been deleted. */
  async *read(from: number): AsyncGenerator<LogEntry, void, undefined> {
    const start = this.#segments.findLastIndex(({ first }) => first <= from);
    for (const segment of this.#segments.slice(Math.max(0, start))) {
      await this.#written(segment);
      for await (const entry of entriesIn(segment.path)) if (entry.n >= from) yield entry;
    }
  }

  /** Adds the stored entries before a number to a tail, from the last one backwards, until it is full. */
  async readBack(before: number, tail: Tail): Promise<void> {
    for (const segment of this.#segments.filter(({ first }) => first < before).toReversed()) {
      if (tail.isFull) return;
      await this.#written(segment);
      const entries: LogEntry[] = [];
      for await (const entry of entriesIn(segment.path)) if (entry.n < before) entries.push(entry);
      for (const entry of entries.toReversed()) tail.add(entry);
    }
  }

  /** A file that was just closed may not be on disk yet, and neither may the end of the current one. */
  async #written(segment: Segment): Promise<void> {
    if (segment === this.#segments.at(-1)) await this.#file?.flush();
    await segment.closed;
  }

  async close(): Promise<void> {
    this.#closeFile();
    await Promise.all([...this.#full].map((file) => file.close()));
    const all = Promise.all([...this.#segments.map(({ closed }) => closed), this.#removals]);
    // A write to a disk that hangs never ends.
    await within(all, CLOSE_WAIT_MS, this.#options.clock ?? systemClock);
  }

  #next(n: number): void {
    const { folder, clock } = this.#options;
    this.#leaveFull();
    const path = join(folder, segmentName(n));
    const onDiagnostic: OnDiagnostic = (diagnostic) => this.#report(path, diagnostic);
    this.#file = new TraceFile(path, { onDiagnostic, clock, ifExists: 'replace' });
    this.#segments.push({ first: n, path, size: 0, closed: Promise.resolve() });
    this.#file.write(`${this.#header}\n`);
    this.#prune();
  }

  #report(path: string, diagnostic: Parameters<OnDiagnostic>[0]): void {
    const segment = this.#segments.find((each) => each.path === path);
    const isKnown = this.#isDown || this.#isTrying;
    if (diagnostic.code === 'RECORDING_FAILED' && segment !== undefined) {
      segment.failed = true;
      this.#isDown = true;
      this.#closeFile();
      if (isKnown) return;
    }
    this.#options.onDiagnostic?.(diagnostic);
  }

  #closeFile(): void {
    const segment = this.#segments.at(-1);
    if (this.#file === undefined || segment === undefined) return;
    segment.closed = this.#file.close();
    this.#file = undefined;
  }

  /** Nobody waits for a full file, so the disk may take its time, unless too many of them are in memory. */
  #leaveFull(): void {
    const [file, segment] = [this.#file, this.#segments.at(-1)];
    if (file === undefined || segment === undefined) return;
    this.#full.add(file);
    segment.closed = file.close(Number.POSITIVE_INFINITY).finally(() => this.#full.delete(file));
    this.#file = undefined;
    const [oldest] = this.#full;
    if (this.#full.size > MOST_FULL) void oldest?.close();
  }

  #prune(): void {
    const { maxBytes } = this.#options;
    let total = this.#segments.reduce((sum, { size }) => sum + size, 0);
    while (this.#segments.length > 1 && total > maxBytes) {
      const oldest = this.#segments.shift();
      if (oldest === undefined) return;
      total -= oldest.size;
      // Not before it is written: the file would come back.
      const removal = oldest.closed.then(() => rm(oldest.path, { force: true })).catch(() => {});
      this.#removals = Promise.all([this.#removals, removal]);
    }
  }
}

/** How many full files may wait for the disk: 32 MiB by default. */
const MOST_FULL = 8;

/** How much of a file to read to find its last entry. */
const TAIL = 64 * 1024;

/** The file whose first entry has this number. */
export function segmentName(n: number): string {
  return `${String(n).padStart(15, '0')}.trace`;
}

const NAME = /^\d{15}\.trace$/;

/** The numbered entries of one file. An unreadable file has none. */
async function* entriesIn(path: string, start = 0): AsyncGenerator<LogEntry, void, undefined> {
  try {
    yield* read(path, start);
  } catch {
    // The reader will see that numbers are missing.
  }
}

/** The numbered entries of one file; a truncated line is skipped. */
async function* read(path: string, start = 0): AsyncGenerator<LogEntry, void, undefined> {
  const lines = new FileLines();
  const stream = createReadStream(path, { start, highWaterMark: 256 * 1024 });
  try {
    for await (const chunk of stream) {
      for (const line of lines.push(chunk)) {
        const entry = readFileLine(line);
        if (entry !== undefined) yield entry;
      }
    }
  } finally {
    stream.destroy();
  }
}

function firstIn(name: string): number {
  return Number.parseInt(name, 10);
}
