import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';

/** How many texts of each kind are kept. */
const LIMIT = 10;
/** How much of a line is kept. */
const SHOWN = 200;

/** What a CLI says on stdout before the handshake is over, for the error of an open that fails. */
export class EarlyWords {
  readonly #results: string[] = [];
  readonly #noise: string[] = [];
  #listening = true;

  /** The texts of result messages: some CLIs report the reason of their exit only there. */
  get results(): string {
    return this.#results.join('\n');
  }

  /** Lines that are no protocol at all. */
  get noise(): readonly string[] {
    return this.#noise;
  }

  noteResult({ errors, result }: WireObject): void {
    if (!this.#listening || this.#results.length > LIMIT) return;
    const texts = Array.isArray(errors) ? errors : [result];
    this.#results.push(...texts.filter((text) => typeof text === 'string'));
  }

  noteDiagnostic(diagnostic: Diagnostic): void {
    if (!this.#listening || diagnostic.code !== 'NOISE_LINE' || this.#noise.length >= LIMIT) return;
    this.#noise.push(diagnostic.line.slice(0, SHOWN));
  }

  /** The handshake is over: nothing more is kept. */
  stop(): void {
    this.#listening = false;
    this.#results.length = 0;
    this.#noise.length = 0;
  }
}
