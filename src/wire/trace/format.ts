import type { CliFrame, HostFrame } from '../protocol/catalog/frame-types.js';
import type { WireObject } from '../protocol/frames.js';

/** The version of the format that this package writes. */
export const TRACE_VERSION = 1;

/** The sender of a line. */
export type Sender = 'host' | 'cli';

/** The header of a recording; the first entry of a file. */
export interface TraceHeader {
  /** `header`. */
  readonly kind: 'header';
  /** The start, as an ISO date. */
  readonly startedAt: string;
  /** The program and its arguments; empty if there is no process. */
  readonly argv: readonly string[];
  /** The working folder. */
  readonly cwd?: string | undefined;
  /** The system. */
  readonly platform: string;
  /** The processor. */
  readonly arch: string;
  /** The program that wrote the file. */
  readonly writer: string;
  /** Whether secrets were removed. */
  readonly redacted: boolean;
  /** From 2 on: the number of a part that continues a full file. */
  readonly part?: number | undefined;
}

/** A line of one side. */
export interface TraceLineOf<From extends Sender, Decoded> {
  /** `line`. */
  readonly kind: 'line';
  /** Milliseconds since the start. */
  readonly t: number;
  /** Who sent it. */
  readonly from: From;
  /** The line on the wire, with redactions. */
  readonly line: string;
  /** The decoded object, typed by the catalog; undefined for noise. */
  readonly frame: Decoded | undefined;
}

/** A line on the wire; `from` narrows the type of its frame. */
export type TraceLine = TraceLineOf<'cli', CliFrame> | TraceLineOf<'host', HostFrame>;

/** Creates a line entry. The type of the frame is assumed from the catalog; nothing is checked. */
export function traceLine(line: TraceLineOf<Sender, WireObject>): TraceLine {
  return line as TraceLine;
}

/** Facts learned after the header. */
export interface TraceFacts {
  /** `facts`. */
  readonly kind: 'facts';
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** The version of the CLI. */
  readonly cliVersion?: string | undefined;
  /** The id of the session. */
  readonly sessionId?: string | undefined;
}

/** One side closed its input. */
export interface TraceEof {
  /** `eof`. */
  readonly kind: 'eof';
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** The side that closed its input. */
  readonly from: Sender;
}

/** A signal was forwarded to the CLI. */
export interface TraceSignal {
  /** `signal`. */
  readonly kind: 'signal';
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** The signal. */
  readonly signal: string;
}

/** Lines were lost: the disk was too slow, or they were too long. */
export interface TraceGap {
  /** `gap`. */
  readonly kind: 'gap';
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** The number of missing lines. */
  readonly lines: number;
}

/** The file reached its limit; later lines are not in it. */
export interface TraceFull {
  /** `full`. */
  readonly kind: 'full';
  /** The limit that was reached, in bytes. */
  readonly limit: number;
}

/** How the CLI ended, as recorded. */
export type RecordedEnd =
  | { readonly reason: 'closed' }
  | {
      readonly reason: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderrTail: string;
    }
  | { readonly reason: 'failed'; readonly error: string };

/** The transport ended. */
export interface TraceEnd {
  /** `end`. */
  readonly kind: 'end';
  /** The time, in milliseconds since the start. */
  readonly t: number;
  /** How the CLI ended. */
  readonly end: RecordedEnd;
}

/** An entry of an unknown kind. */
export interface TraceUnknown {
  /** `unknown`. */
  readonly kind: 'unknown';
  /** The entry as it is. */
  readonly entry: WireObject;
}

/** An unreadable line of the file. */
export interface TraceBroken {
  /** `broken`. */
  readonly kind: 'broken';
  /** The problem. */
  readonly problem: string;
  /** The line as it is in the file. */
  readonly text: string;
  /** Whether it is the last line and incomplete: the writer was stopped. */
  readonly cut: boolean;
}

/** One entry of a recording. */
export type TraceEntry =
  | TraceHeader
  | TraceLine
  | TraceFacts
  | TraceEof
  | TraceSignal
  | TraceGap
  | TraceFull
  | TraceEnd
  | TraceUnknown
  | TraceBroken;
