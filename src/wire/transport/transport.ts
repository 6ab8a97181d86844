/** Why a transport is over. Exactly one is reported, once. */
export type TransportEnd =
  | { readonly reason: 'closed' }
  | {
      readonly reason: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderrTail: string;
    }
  | { readonly reason: 'failed'; readonly error: Error };

/**
 * Receives batches of lines, in order. `text` is the batch in one piece, its lines divided by `\n`, where the transport
 * has it at hand: who passes a batch on need not put it together again.
 */
export type OnLines = (lines: readonly string[], text?: string) => void;

/** How a transport is closed. */
export interface CloseOptions {
  /** How long the other side may take to leave by itself, where the transport has a say in that and was not told otherwise. */
  readonly graceMs?: number | undefined;
}

/**
 * A two-way pipe of lines. It knows nothing of JSON, requests or sessions.
 * `transportContract` in `coxswain/testing` checks an implementation against these promises.
 */
export interface Transport {
  /** Settles once, after the last batch was delivered; never rejects. */
  readonly ended: Promise<TransportEnd>;
  /** Begins delivery; called once. Lines that came before are delivered then. `onLines` is never called after the end. */
  start(onLines: OnLines): void;
  /** Stops reading soon, so that the pipe pushes back on the other side; a batch under way may still come. */
  pause(): void;
  /** Reads on. */
  resume(): void;
  /**
   * Writes one line, whole and in call order; the transport adds the newline. Resolves when the line was
   * taken, which a slow reader delays; rejects with `TRANSPORT_CLOSED` after the end; never hangs.
   */
  send(line: string): Promise<void>;
  /** Ends it, politely first; may be called twice. Resolves when nothing is left running. */
  close(options?: CloseOptions): Promise<TransportEnd>;
}
