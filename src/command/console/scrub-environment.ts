import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/**
 * Removes variables from this process's environment, including the copy that the system shows to the user's other
 * processes: a CLI's tools could read a token in /proc/<pid>/environ. On systems other than Linux, only what this
 * process passes on is clean.
 */
export function scrubEnvironment(names: readonly string[], platform: string): void {
  const found = names.filter((name) => process.env[name] !== undefined);
  for (const name of found) delete process.env[name];
  if (platform !== 'linux' || found.length === 0) return;
  try {
    overwrite(found);
  } catch {
    // The system does not let a process write to its own memory; the documentation recommends keys there.
  }
}

/** The system keeps a process's initial environment in memory that the process can write to. */
function overwrite(names: readonly string[]): void {
  const [start = 0, end = 0] = environmentPlace();
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    const bytes = Buffer.alloc(end - start);
    readSync(memory, bytes, 0, bytes.length, start);
    for (const name of names) {
      const at = `\0${bytes.toString('latin1')}`.indexOf(`\0${name}=`);
      if (at === -1) continue;
      const value = at + name.length + 1;
      const length = bytes.indexOf(0, value) - value;
      if (length > 0) writeSync(memory, Buffer.alloc(length), 0, length, start + value);
    }
  } finally {
    closeSync(memory);
  }
}

/** Its start and end: two numbers far after the process name, which may contain anything. */
function environmentPlace(): readonly number[] {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(47, 49).map(Number);
}
