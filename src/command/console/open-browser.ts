import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { windowsProgram } from '../../wire/transport/process/program-path.js';

/** The programs that open an address in the user's browser. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not with `cmd`, which would treat an `&` in the file's path as the end of the command.
  win32: [windowsProgram('rundll32'), 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the user's browser, through a private file that redirects to it: everyone on the machine can
 * read a program's arguments, and the address contains a token. The returned function removes the file.
 */
export async function openBrowser(url: string, platform: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-open-'));
  const page = join(folder, 'console.html');
  await writeFile(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
  });
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, pathToFileURL(page).href], {
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  // The address was printed anyway.
  opener.on('error', () => {});
  opener.unref();
  return () => rm(folder, { recursive: true, force: true });
}
