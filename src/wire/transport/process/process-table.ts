import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { setImmediate as nextRound, setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { carriesMark, MARK_VARIABLE } from './process-mark.js';
import { lastNumber, lowestNumber, type Numbered } from './process-numbers.js';
import { readKernelFile } from './small-file.js';

/** One running process. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The value of our variable in its environment; empty if it is missing or cannot be read. */
  readonly mark: string;
}

/**
 * Lists the running processes; zombies are left out, and so may be processes that cannot belong to the
 * children.
 */
export type ReadProcessTable = (children: readonly OwnedChild[]) => Promise<readonly ProcessEntry[]>;

/** A child and what belongs to it. */
export interface OwnedChild extends Numbered {
  /** It leads its own process group with the same number. */
  readonly pid: number;
  readonly mark: string;
  /** Whether the child itself is known to have exited. */
  readonly hasExited?: () => boolean;
}

/** The processes in a table that belong to a child: its group, its descendants, and everything with its mark. */
export function ownedBy(child: OwnedChild, table: readonly ProcessEntry[]): number[] {
  const owned = new Set(
    table
      .filter((entry) => entry.group === child.pid || carriesMark(entry.mark, child.mark))
      .map(({ pid }) => pid),
  );
  const children = byParent(table);
  const open = [child.pid, ...owned];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const entry of children.get(pid) ?? []) {
      if (owned.has(entry.pid)) continue;
      owned.add(entry.pid);
      open.push(entry.pid);
    }
  }
  return table.map(({ pid }) => pid).filter((pid) => pid === child.pid || owned.has(pid));
}

function byParent(table: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of table) {
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  return children;
}

/**
 * Reads /proc in small slices, so that a machine with many processes does not block the host, and repeats that
 * until no process is new: one that forks during the scan and exits would otherwise hide its child.
 */
export async function readProcFolder(
  folder = '/proc',
  children?: readonly Numbered[],
): Promise<ProcessEntry[]> {
  const lowest = children === undefined ? 0 : lowestNumber(children, folder);
  const table = new Map<number, ProcEntry>();
  const settled = new Set<number>();
  let pids: readonly number[] = [];
  let listedUpTo: number | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const last = lastNumber(folder);
    if (last === undefined || last !== listedUpTo) pids = pidsIn(folder, lowest, last);
    listedUpTo = last;
    const open = pids.filter((pid) => !settled.has(pid));
    if (open.length === 0) break;
    if (round > 0) await pause(ROUND_MS);
    await inSlices(open, (pid) => {
      const entry = readProcEntry(`${folder}/${pid}`, pid);
      if (entry === undefined) table.delete(pid);
      else table.set(pid, entry);
      if (entry?.starting !== true) settled.add(pid);
    });
  }
  return [...table.values()].map(({ starting: _, ...entry }) => entry);
}

const MAX_ROUNDS = 50;
const ROUND_MS = 1;
const SLICE = 64;

/** The process ids from the lowest to the one that was assigned last. If that one is lower, or unknown, it says nothing. */
function pidsIn(folder: string, lowest: number, last = 0): readonly number[] {
  if (lowest > 0 && last >= lowest && last - lowest < NEAR && hasNone(folder, lowest + 1, last))
    return [lowest];
  const highest = lowest > 0 && last > lowest ? last : Number.POSITIVE_INFINITY;
  return readdirSync(folder)
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid >= lowest && pid <= highest);
}

/** Whether no id from `first` to `last` is in use. Listing all processes takes longer than trying a few. */
function hasNone(folder: string, first: number, last: number): boolean {
  for (let pid = first; pid <= last; pid += 1) if (existsSync(`${folder}/${pid}`)) return false;
  return true;
}

const NEAR = 64;

async function inSlices<T>(items: readonly T[], act: (item: T) => void): Promise<void> {
  for (let index = 0; index < items.length; index += SLICE) {
    if (index > 0) await nextRound();
    items.slice(index, index + SLICE).forEach(act);
  }
}

interface ProcEntry extends ProcessEntry {
  /** It is between fork and exec and shows no environment yet, so nobody can tell whose it is. */
  readonly starting: boolean;
}

function readProcEntry(folder: string, pid: number): ProcEntry | undefined {
  const environ = readOr(`${folder}/environ`, undefined);
  // Read after the environment: a process that has one by now is examined again.
  const stat = readOr(`${folder}/stat`, '');
  // The name in brackets may itself contain brackets and spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  if (stat === '' || state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    mark: readMark(environ ?? ''),
    starting: environ === '' && hasMemory(fields) && !hasNoVariables(fields),
  };
}

/** A kernel thread has no memory of its own, and never an environment. */
function hasMemory(fields: readonly string[]): boolean {
  return fields[VSIZE] !== undefined && fields[VSIZE] !== '0';
}

/** A process that was started with an empty environment still has a place for it. */
function hasNoVariables(fields: readonly string[]): boolean {
  return fields[ENV_START] === fields[ENV_END] && fields[ENV_END] !== '0';
}

// Field positions after the name in brackets; `man proc` counts from the process id.
const VSIZE = 20;
const ENV_START = 47;
const ENV_END = 48;

function readMark(environ: string): string {
  const variable = environ.split('\0').find((each) => each.startsWith(`${MARK_VARIABLE}=`));
  return variable?.slice(MARK_VARIABLE.length + 1) ?? '';
}

/** The process may have ended, or its id may belong to another one. */
function readOr<T>(path: string, other: T): string | T {
  try {
    return readKernelFile(path);
  } catch {
    return other;
  }
}

/** Reads the process list of a system without /proc from `ps`, which shows the environment of our own processes. */
export async function readPsTable(run: RunProgram = runProgram): Promise<ProcessEntry[]> {
  return parsePsTable(await run('/bin/ps', ['-axEww', '-o', 'pid=,ppid=,pgid=,state=,command=']));
}

/** Runs a program and returns its output. */
export type RunProgram = (file: string, args: readonly string[]) => Promise<string>;

/** Runs a program without a shell; returns nothing if it fails or takes too long. */
export const runProgram: RunProgram = async (file, args) => {
  try {
    const { stdout } = await execFileAsync(file, args, {
      timeout: 5_000,
      maxBuffer: 64 * 1024 * 1024,
      windowsHide: true,
    });
    return stdout;
  } catch {
    return '';
  }
};

const execFileAsync = promisify(execFile);

/** Reads lines of "pid ppid pgid state command with environment". */
export function parsePsTable(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s?(.*)$/.exec(line);
    if (match === null || match[4]?.startsWith('Z')) return [];
    const [, pid, parent, group, , command = ''] = match;
    const mark = new RegExp(`(?:^| )${MARK_VARIABLE}=(\\S*)`).exec(command)?.[1] ?? '';
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), mark }];
  });
}
