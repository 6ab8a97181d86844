import type { WireObject } from '../../wire/protocol/frames.js';
import type { ItemChange } from '../../wire/protocol/reading/items.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { plain } from '../../wire/util/plain.js';
import { EXIT_FAILED, exitCodeOf } from '../exit-codes.js';
import type { Screen } from '../terminal/screen.js';
import type { Report } from './report.js';

/** What goes to stdout. */
export interface Output {
  message(message: WireObject, changes: readonly ItemChange[]): void;
  end(report: Report): void;
}

/** Streams the model's text, each block ending with a newline. */
export class TextOutput implements Output {
  readonly #screen: Screen;
  readonly #clean: (text: string) => string;
  #midLine = false;
  #wroteAny = false;

  /** On a terminal, the text is made safe to display; to a pipe it goes unchanged. */
  constructor(screen: Screen, isTty: boolean) {
    this.#screen = screen;
    this.#clean = isTty ? plain : (text) => text;
  }

  message(_message: WireObject, changes: readonly ItemChange[]): void {
    for (const { item, added } of changes) {
      // A message that the CLI writes in the model's name after an API failure is not the answer.
      if (item.kind !== 'text' || item.agent !== null || item.error !== undefined) continue;
      this.#write(this.#clean(added));
      if (item.state !== 'writing') this.#endLine();
    }
  }

  /** An answer that did not appear in a message, such as the output of a CLI command, is printed at the end. */
  end({ outcome }: Pick<Report, 'outcome'>): void {
    if (!this.#wroteAny && outcome?.kind === 'success') this.#write(this.#clean(outcome.text));
    this.#endLine();
  }

  #write(text: string): void {
    if (text === '') return;
    this.#wroteAny = true;
    this.#midLine = !text.endsWith('\n');
    this.#screen.out(text);
  }

  #endLine(): void {
    if (this.#midLine) this.#write('\n');
  }
}

/** Every message unchanged, one line each, and a last line that says how it ended. */
export class JsonOutput implements Output {
  readonly #screen: Screen;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  message(message: WireObject): void {
    this.#screen.out(`${JSON.stringify(message)}\n`);
  }

  end(report: Report): void {
    this.#screen.out(`${JSON.stringify(finalLine(report))}\n`);
  }
}

/** The last line of --json if there was no conversation at all. */
export function notOpenedLine(error: unknown): string {
  const cause = error instanceof Error ? error : new Error(String(error));
  const exitCode = cause instanceof CoxswainError ? exitCodeOf(cause.code) : EXIT_FAILED;
  const line = {
    schema: 1,
    type: 'coxswain_outcome',
    outcome: 'not-opened',
    exitCode,
    ...failure(undefined, cause),
  };
  return `${JSON.stringify(line)}\n`;
}

/** The last line of --json for a usage error. */
export function wrongUseLine(message: string): string {
  return notOpenedLine(new CoxswainError('OPTION_INVALID', message.replace(/^error: /, '')));
}

function finalLine({ outcome, error, exitCode, ...facts }: Report): object {
  return {
    schema: 1,
    type: 'coxswain_outcome',
    outcome: outcome?.kind ?? 'not-opened',
    exitCode,
    ...(outcome?.kind === 'success' ? { text: outcome.text } : {}),
    ...(outcome !== undefined && 'output' in outcome ? { output: outcome.output } : {}),
    // What stopped it is the reason; errors that follow from that are not.
    ...(facts.stoppedBy === undefined ? failure(outcome, error) : {}),
    ...facts,
  };
}

function failure(outcome: Report['outcome'], error: Error | undefined): object {
  const cause = outcome?.kind === 'cli-ended' ? outcome.error : error;
  if (cause !== undefined) {
    return { error: { message: cause.message, ...('code' in cause ? { code: cause.code } : {}) } };
  }
  return outcome !== undefined && 'message' in outcome ? { error: { message: outcome.message } } : {};
}
