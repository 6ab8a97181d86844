import { spawn } from 'node:child_process';
import { builtFile } from '../../wire/package/built-file.js';

/** A page that shows a recording while it grows. */
export interface Viewer {
  /** Lets it show the rest and end, without waiting for it. */
  end(): void;
}

/**
 * Starts a separate process that shows a recording, so viewers cannot slow down the tap. It ends when its stdin
 * closes, even if the tap is killed.
 */
export function startViewer(path: string, say: (text: string) => void): Viewer {
  const child = spawn(
    process.execPath,
    [builtFile('command.js'), 'inspect', '--follow', '--until-eof', path],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Ctrl-C in the terminal is meant for the CLI.
      detached: true,
      windowsHide: true,
    },
  );
  child.once('error', ({ message }) => say(`The page could not be started: ${message}.`));
  child.once('exit', (code) => {
    if (code !== 0) say(`The page could not be shown (exit code ${code}).`);
  });
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').once('data', (url: string) => say(`watch it at ${url.trim()}`));
  child.unref();
  for (const pipe of [child.stdin, child.stdout]) unref(pipe);
  return { end: () => void child.stdin.end() };
}

/** The page's output must not keep the tap alive. */
function unref(pipe: object): void {
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}
