import { type Login, loginOf, STALE_MS } from '../../host/cli/login/login.js';
import { pathsOf, readVariable, type System } from '../../wire/transport/process/system.js';
import { duration } from '../../wire/util/numbers.js';

/** Notes about the login that CLIs here share: locks that a killed one left, and a linked file. Never its contents. */
export function loginNotes(system: System, now: number = Date.now()): readonly string[] {
  const login = loginOf(system.env, system);
  return [...(login === undefined ? [] : loginFileNotes(login, system)), ...lockNotes(login, system, now)];
}

/** CLIs replace the file when they renew the login. */
function loginFileNotes({ file }: Login, { files, platform }: System): readonly string[] {
  const { basename, dirname, join } = pathsOf(platform);
  if (files.stat(file) === undefined || files.real(file) === join(files.real(dirname(file)), basename(file)))
    return [];
  return [
    `${file} is a link: the CLI that renews the login replaces it, and whoever reads the other file is logged out. Remove it, and use the option configDir for another config folder with the same login.`,
  ];
}

function lockNotes(login: Login | undefined, system: System, now: number): readonly string[] {
  const { join } = pathsOf(system.platform);
  const config = readVariable(system.platform, system.env, 'CLAUDE_CONFIG_DIR');
  const path = `${join(config || system.home, '.claude.json')}.lock`;
  const settings = system.files.stat(path);
  const locks = [
    ...(login?.locks ?? []),
    ...(settings === undefined ? [] : [{ path, touchedAt: settings.mtimeMs }]),
  ];
  return locks.flatMap((lock) => lockNote(lock.path, now - lock.touchedAt));
}

function lockNote(path: string, age: number): readonly string[] {
  if (age < -STALE_MS)
    return [
      `The lock ${path} is dated ${duration(-age)} in the future, so no CLI takes it over: remove the folder, and check the clock.`,
    ];
  if (age < STALE_MS) return [];
  return [
    `A CLI that was killed left the lock ${path} ${duration(age)} ago. The next CLI takes it over; if CLIs wait for it, remove the folder.`,
  ];
}
