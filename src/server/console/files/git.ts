import { execFile } from 'node:child_process';
import { programInPath } from '../../../wire/transport/process/program-path.js';

/** How long git may take, and how much it may print. */
const TIMEOUT_MS = 15_000;
const MOST_BYTES = 32 * 1024 * 1024;

/** Nothing that a repository's own settings name is run: a model may have written them. */
const QUIET = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** What git printed. */
export interface GitOutput {
  readonly text: string;
  /** Whether it printed more than is taken. */
  readonly cut: boolean;
}

/** Has git read something in a folder; undefined where there is no git, no repository, or nothing to be read. */
export function readGit(folder: string, args: readonly string[]): Promise<GitOutput | undefined> {
  const program = programInPath('git');
  if (program === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const options = { cwd: folder, env: ownEnv(), maxBuffer: MOST_BYTES, timeout: TIMEOUT_MS };
    execFile(program, [...QUIET, ...args], options, (error, text) => {
      if (error === null) return resolve({ text, cut: false });
      const isCut = error.code === ('ERR_CHILD_PROCESS_STDIO_MAXBUFFER' as unknown);
      resolve(isCut ? { text, cut: true } : undefined);
    });
  });
}

/** The names in a list that git has ended each with a zero. */
export function namesIn({ text }: GitOutput): readonly string[] {
  // What stands behind the last zero is empty, or was cut off.
  return text.split('\0').slice(0, -1);
}

/** Variables that lead git elsewhere are not meant for this folder. */
function ownEnv(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  return { ...Object.fromEntries(others), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}
