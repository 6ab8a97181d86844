import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';

/** How many texts of each kind are kept. */
const LIMIT = 10;
/** How much of a line is kept. */
const SHOWN = 200;

/** What a CLI prints on stdout before the handshake is complete, for the error of a failed open. */
export class EarlyWords {
  readonly #results: string[] = [];
  readonly #noise: string[] = [];
  #startupFailure: string | undefined;
  #listening = true;

  /** The texts of result messages: some CLIs report the reason for their exit only there. */
  get results(): string {
    return this.#results.join('\n');
  }

  /** Lines that are not protocol at all. */
  get noise(): readonly string[] {
    return this.#noise;
  }

  /** The CLI's own word for why it did not start. */
  get startupFailure(): string | undefined {
    return this.#startupFailure;
  }

  noteResult({ errors, result, startup_failure_reason: reason }: WireObject): void {
    if (!this.#listening || this.#results.length > LIMIT) return;
    if (typeof reason === 'string') this.#startupFailure ??= reason;
    const texts = Array.isArray(errors) ? errors : [result];
    this.#results.push(...texts.filter((text) => typeof text === 'string'));
  }

  noteDiagnostic(diagnostic: Diagnostic): void {
    if (!this.#listening || diagnostic.code !== 'NOISE_LINE' || this.#noise.length >= LIMIT) return;
    this.#noise.push(diagnostic.line.slice(0, SHOWN));
  }

  /** The handshake is complete: nothing more is kept. */
  stop(): void {
    this.#listening = false;
    this.#results.length = 0;
    this.#noise.length = 0;
  }
}
