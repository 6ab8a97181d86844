import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A made-up key for a place where an option takes one, in a form that recordings mask wherever it stands. */
export function keyFor(place: string): string {
  return `ghp_${place}${process.pid}x0123456789abcdefghijABCDEFGHIJ`;
}

/** The keys on any command line of this machine. */
export function onCommandLines(keys: readonly string[]): string[] {
  const lines = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => readOr(`/proc/${pid}/cmdline`));
  return keys.filter((key) => lines.some((line) => line.includes(key)));
}

/** The keys in the files below a folder, each with its file. */
export function inFiles(keys: readonly string[], folder: string, but = /^$/): string[] {
  return filesBelow(folder)
    .filter((file) => !but.test(file))
    .flatMap((file) => {
      const content = readOr(file);
      return keys.filter((key) => content.includes(key)).map((key) => `${key} in ${file}`);
    });
}

/** CLI 2.0.73 writes the headers of servers to its own logs. */
export function ownLogs(version: string, server: string): RegExp {
  return version === '2.0.73' ? new RegExp(`/home/\\.claude/debug/|/mcp-logs-${server}/`) : /^$/;
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  } catch {
    // Another program has removed its folder meanwhile.
    return [];
  }
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
