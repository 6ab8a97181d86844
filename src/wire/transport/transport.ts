/** Why a transport ended. Reported exactly once. */
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
 * Receives batches of lines, in order. `text` is the whole batch, with lines separated by `\n`, if the transport has
 * it; this saves joining the lines again to pass them on.
 */
export type OnLines = (lines: readonly string[], text?: string) => void;

/** Options for closing a transport. */
export interface CloseOptions {
  /** How long the other side may take to exit on its own, if the transport controls that and has no setting for it. */
  readonly graceMs?: number | undefined;
}

/**
 * A two-way pipe of lines. It knows nothing about JSON, requests or sessions. `transportContract` in `coxswain/testing`
 * checks an implementation against this contract.
 */
export interface Transport {
  /**
   * The version of the CLI at the other end, if you know it. Without it, a session assumes nothing about the CLI until
   * the CLI reports its version in its first turn.
   */
  readonly version?: string | Promise<string | undefined> | undefined;
  /** Settles once, after the last batch was delivered; never rejects. */
  readonly ended: Promise<TransportEnd>;
  /**
   * Starts delivery; call it once. Lines that arrived earlier are delivered then. `onLines` is never called after the
   * end.
   */
  start(onLines: OnLines): void;
  /** Stops reading soon, so that the other side has to wait; a batch in progress may still arrive. */
  pause(): void;
  /** Resumes reading. */
  resume(): void;
  /**
   * Writes one line, whole and in call order; the transport adds the newline. Resolves when the line was accepted,
   * later if the reader is slow. Rejects with `TRANSPORT_CLOSED` after the end. Never hangs.
   */
  send(line: string): Promise<void>;
  /** Ends it, gracefully at first; may be called twice. Resolves when nothing is left running. */
  close(options?: CloseOptions): Promise<TransportEnd>;
}
