import { type ChildProcess, spawn } from 'node:child_process';
import { windowsProgram } from '../../../../wire/transport/process/program-path.js';
import type { ToolOutcome } from '../turns/tool-result.js';

/** How much of a command's output to keep. */
const MAX_OUTPUT = 30_000;

/** The result of a command. */
export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
}

/** A running command. */
export interface RunningCommand {
  readonly end: Promise<CommandEnd>;
  /** Its output so far. */
  output(): string;
}

/** Runs a shell command; it ends, with all its child processes, when the signal is aborted or the time is up. */
export function runCommand(
  command: string,
  {
    cwd,
    signal,
    timeoutMs,
  }: { readonly cwd: string; readonly signal: AbortSignal; readonly timeoutMs?: number },
): RunningCommand {
  const isWindows = process.platform === 'win32';
  const child = spawn(command, { cwd, shell: true, detached: !isWindows, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const add = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(0, MAX_OUTPUT);
  };
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  const stop = (): void => endGroup(child);
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const end = new Promise<CommandEnd>((resolve) => {
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
  void end.then(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
  return { end, output: () => output };
}

/** What the model is told about a finished command. */
export function commandOutcome({ code, output }: CommandEnd): ToolOutcome {
  const text = output.trimEnd();
  return code === 0
    ? { content: text, isError: false }
    : { content: `Exit code ${code ?? 137}\n${text}`.trimEnd(), isError: true };
}

/** Read-only commands; combinations of only these need no permission. */
const LOOKING = new Set(
  'cat cd cut date dirname echo find grep head ls printf pwd sleep sort stat tail test tr true uniq wc which whoami'.split(
    ' ',
  ),
);

/** Whether a command is read-only, judged by its words. */
export function onlyLooks(command: string): boolean {
  if (/[<>`$(){}&](?!&)/.test(command.replaceAll('&&', ';')) || /-(?:exec|delete)\b/.test(command))
    return false;
  const parts = command.split(/&&|\|\||[;|\n]/).map((part) => part.trim().split(/\s+/)[0] ?? '');
  return parts.every((word) => LOOKING.has(word));
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    if (process.platform === 'win32')
      spawn(windowsProgram('taskkill'), ['/PID', String(child.pid), '/T', '/F']);
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It is over.
  }
}
