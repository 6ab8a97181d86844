import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';

/**
 * Takes variables out of the environment of this process, also as the system shows it to other processes of the same
 * user: tools of a CLI could read a token in /proc/<pid>/environ. Elsewhere than on Linux only what this process itself
 * passes on is clean.
 */
export function scrubEnvironment(names: readonly string[], platform: string): void {
  const found = names.filter((name) => process.env[name] !== undefined);
  for (const name of found) delete process.env[name];
  if (platform !== 'linux' || found.length === 0) return;
  try {
    overwrite(found);
  } catch {
    // A system that does not let a process write to itself; the documentation says to use keys there.
  }
}

/** The system keeps the environment that a process was started with where the process can write. */
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

/** Where it begins and ends: two numbers far behind the name of the process, which may hold anything. */
function environmentPlace(): readonly number[] {
  const text = readFileSync('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(47, 49).map(Number);
}
