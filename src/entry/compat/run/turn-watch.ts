import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import type { LastWords } from '../errors.js';

/** Knows whether a CLI is in the middle of something, to tell a real success from an exit that only looks like one. */
export class TurnWatch implements LastWords {
  result: WireObject | undefined;
  #isAsked = false;
  #isSpeaking = false;
  #isCut = false;

  get unfinished(): string | undefined {
    if (this.#isCut) return 'in the middle of a line';
    return this.#isAsked || this.#isSpeaking ? 'before the turn had a result' : undefined;
  }

  /** A user message was sent; one that only adds to the conversation starts no turn. */
  noteAsked({ shouldQuery }: WireObject): void {
    if (shouldQuery !== false) this.#isAsked = true;
  }

  noteMessage(message: WireObject, kind: string): void {
    this.#isCut = false;
    if (kind === 'result') {
      this.result = message;
      this.#isAsked = false;
      this.#isSpeaking = false;
    } else if (kind === 'assistant' || kind === 'stream_event') {
      // Agents in the background send messages between turns too.
      if (message.parent_tool_use_id === null || message.parent_tool_use_id === undefined)
        this.#isSpeaking = true;
    }
  }

  /** Noise that begins like a message and is followed by nothing is half a line. */
  noteDiagnostic(diagnostic: Diagnostic): void {
    if (diagnostic.code === 'NOISE_LINE') this.#isCut = diagnostic.line.startsWith('{');
  }
}
