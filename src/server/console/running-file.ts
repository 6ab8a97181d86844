import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../wire/protocol/frames.js';
import { isSameProcess, type ProcessId, processId } from '../../wire/transport/process/process-id.js';
import { writePrivately } from './keys/private-file.js';

/** A console server that runs on a state folder. */
export interface RunningConsole extends ProcessId {
  /** Its address, without any key. */
  readonly origin: string;
}

/** Lets commands find this server through its state folder; the returned function undoes that. */
export function tellRunning(stateFolder: string, origin: string): () => void {
  const folder = folderIn(stateFolder);
  const path = join(folder, `${process.pid}-${new URL(origin).port}.json`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writePrivately(path, JSON.stringify({ ...processId(process.pid), origin }));
  } catch {
    // If the disk fails, the server cannot be found, but it still runs.
  }
  return () => rmSync(path, { force: true });
}

/** The servers that run on a state folder; removes what killed servers left. */
export function runningConsoles(stateFolder: string): readonly RunningConsole[] {
  const folder = folderIn(stateFolder);
  return namesIn(folder).flatMap((name) => {
    const found = read(join(folder, name));
    if (found !== undefined && isSameProcess(found)) return [found];
    rmSync(join(folder, name), { force: true });
    return [];
  });
}

function folderIn(stateFolder: string): string {
  return join(stateFolder, 'running');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function read(path: string): RunningConsole | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const isOne = isObject(value) && typeof value.pid === 'number' && typeof value.origin === 'string';
    return isOne ? (value as unknown as RunningConsole) : undefined;
  } catch {
    return undefined;
  }
}
