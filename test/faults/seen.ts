import { CliEndedError } from '../../src/host/core/connection/cli-ended-error.js';
import { OpenError } from '../../src/host/core/connection/open-error.js';
import type { Session } from '../../src/host/session/session.js';
import type { TurnOutcome } from '../../src/host/session/turns/outcome.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { CoxswainError } from '../../src/wire/util/errors.js';

/** A short description of an error: its code, how the CLI ended, and its stderr if reported. */
export function errorInWords(error: unknown): string {
  if (!(error instanceof CoxswainError)) return String(error);
  const words: string[] = [error.code];
  if (error instanceof CliEndedError && error.signal !== null) words.push(`signal ${error.signal}`);
  if (error instanceof CliEndedError && error.exitCode !== null) words.push(`exit code ${error.exitCode}`);
  const tells = error instanceof CliEndedError || error instanceof OpenError;
  if (tells && error.stderrTail !== '') words.push(`stderr "${error.stderrTail.trim()}"`);
  return words.join(', ');
}

/** A short description of how a promise settled. */
export async function settledAs(
  promise: Promise<unknown>,
  inWords: (value: unknown) => string = () => 'done',
): Promise<string> {
  try {
    return inWords(await promise);
  } catch (error) {
    return errorInWords(error);
  }
}

/** A short description of an outcome. */
export function outcomeInWords(outcome: TurnOutcome): string {
  if (outcome.kind === 'cli-ended') return `cli-ended: ${errorInWords(outcome.error)}`;
  return outcome.kind === 'success' ? `success: ${outcome.text}` : outcome.kind;
}

/** Reads a turn to its end, and says how it ended. */
export async function readToTheEnd(turn: Turn, onMessage: (message: unknown) => unknown = () => {}) {
  return settledAs(
    (async () => {
      for await (const message of turn) await onMessage(message);
    })(),
    () => 'ends',
  );
}

/** Keeps what a session reports beside its answers. */
export class Reports {
  readonly diagnostics: Diagnostic[] = [];
  readonly onDiagnostic = (diagnostic: Diagnostic): void => {
    this.diagnostics.push(diagnostic);
  };

  /** The codes that came, each once. */
  get codes(): string {
    return [...new Set(this.diagnostics.map(({ code }) => code))].toSorted().join(', ');
  }

  /** The last columns of every row: the diagnostics, and the state of the session. */
  rest(session: Session): Record<string, string> {
    return { ...(this.codes === '' ? {} : { diagnostics: this.codes }), session: session.state };
  }
}

/** Waits until the session is in this state. */
export async function untilState(session: Session, state: string | undefined): Promise<void> {
  if (state === undefined || session.state === state) return;
  await new Promise<void>((resolve) => {
    const stop = session.on('state', (next) => {
      if (next !== state) return;
      stop();
      resolve();
    });
  });
}
