import type { Diagnostic } from '../../wire/util/diagnostics.js';

/** The listeners that receive failures; failures of these listeners are not reported further. */
export const DIAGNOSTIC_LISTENERS: ReadonlySet<string> = new Set(['onDiagnostic', "on('diagnostic')"]);

/**
 * Reports failed callbacks on stderr if the program has no listener, once per callback. Nothing else here writes to
 * stderr.
 */
export class UnheardFailures {
  readonly #told = new Set<string>();

  tell(diagnostic: Diagnostic): void {
    if (!('callback' in diagnostic) || diagnostic.callback === undefined) return;
    if (this.#told.has(diagnostic.callback)) return;
    this.#told.add(diagnostic.callback);
    const { message, cause } = diagnostic;
    const stack = cause instanceof Error && typeof cause.stack === 'string' ? `\n${cause.stack}` : '';
    process.stderr.write(`coxswain: ${message}${stack}\n(Reported once. Set onDiagnostic to receive all.)\n`);
  }
}
