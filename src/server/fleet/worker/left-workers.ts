import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, within } from '../../../wire/util/clock.js';
import { isOneSeries, openEventLog } from '../../console/log/event-log.js';
import { SessionFiles, type SessionRecord } from '../../console/sessions/session-files.js';
import { lockFolder, type Unlock } from '../../manager/store/folder-lock.js';
import type { Engine } from '../engine/engine.js';
import { type Epoch, isLeased, lastEpoch } from '../engine/epochs.js';
import { LogMirror } from '../log/log-mirror.js';
import { StoredLog } from '../log/stored-log.js';
import type { CarriedState } from './carried-state.js';

/** The dependencies of {@link finishLeft}. */
export interface LeftParts {
  readonly engine: Engine;
  readonly clock: Clock;
  /** The folder with the folders of all workers of this machine. */
  readonly folder: string;
  readonly carried: Pick<CarriedState, 'saveLeft'>;
}

/** How long one conversation may take; the rest waits for the next start. */
const FINISH_MS = 30_000;
/** How long events are kept that cannot be stored. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/**
 * Finishes what ended workers of this machine left: stores events that the engine lacks, unless another worker has taken the
 * conversation, and removes their folders. What cannot be stored now stays for the next start.
 */
export async function finishLeft(parts: LeftParts): Promise<void> {
  const names = await readdir(parts.folder).catch(() => []);
  for (const worker of names.filter((name) => /^[\w-]+$/.test(name))) {
    const path = join(parts.folder, worker);
    const unlock = await lockLeft(parts.engine, worker, path);
    if (unlock === undefined) continue;
    const isDone = await finishWorker(parts, worker, path).catch(() => false);
    if (isDone || (await isTooOld(path))) await rm(path, { recursive: true, force: true, maxRetries: 3 });
    else return unlock();
  }
}

/** The folder of a worker that has ended; undefined if it may be running. */
async function lockLeft(engine: Engine, worker: string, path: string): Promise<Unlock | undefined> {
  try {
    // A lock says nothing about the processes of other containers, but a lease does.
    if (existsSync(join(path, 'lock')) && (await isLeased(engine, worker))) return undefined;
    return lockFolder(path);
  } catch {
    return undefined;
  }
}

async function finishWorker(parts: LeftParts, worker: string, path: string): Promise<boolean> {
  const files = new SessionFiles(join(path, 'sessions'));
  for (const record of (await files.list()).records) {
    const { id } = record.summary;
    const last = await lastEpoch(parts.engine, id);
    // Another worker goes on from what was stored, or the conversation is gone.
    if (last?.worker !== worker) continue;
    const epoch = { session: id, sequence: last.sequence };
    if (!(await finishConversation(parts, epoch, record, files.folderOf(id)))) return false;
  }
  return true;
}

async function finishConversation(
  { engine, clock, carried }: LeftParts,
  epoch: Epoch,
  { summary }: SessionRecord,
  folder: string,
): Promise<boolean> {
  const { log } = await openEventLog({ folder });
  const stored = new StoredLog(engine, epoch.session);
  const end = clock.now() + FINISH_MS;
  let isFenced = false;
  // Again until nothing is missing: an earlier write of the same events may still have been under way.
  for (let isWhole = false; !isWhole && !isFenced; ) {
    const ends = await stored.ends();
    const from = (ends?.last ?? 0) + 1;
    // What it had stored goes on; anything else begins a series.
    const isGoingOn = ends?.series !== undefined && isOneSeries(from, log.last);
    const series = isGoingOn ? ends.series : engine.makeId();
    const onFenced = () => {
      isFenced = true;
    };
    const mirror = new LogMirror({ engine, epoch, series, log, clock, from, onFenced });
    const isFlushed = await within(mirror.flushed(), end - clock.now(), clock);
    mirror.close();
    if (!isFlushed) return false;
    isWhole = mirror.kept < from;
  }
  if (!isFenced) await carried.saveLeft(summary, { id: epoch.session, epoch: epoch.sequence });
  return true;
}

async function isTooOld(path: string): Promise<boolean> {
  const facts = await stat(join(path, 'sessions')).catch(() => undefined);
  return facts !== undefined && Date.now() - facts.mtimeMs > KEPT_MS;
}
