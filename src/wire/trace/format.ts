import type { CliFrame, HostFrame } from '../protocol/catalog/frame-types.js';
import type { WireObject } from '../protocol/frames.js';

/** The version of the format that this package writes. */
export const TRACE_VERSION = 1;

/** Who sent something. */
export type Sender = 'host' | 'cli';

/** What a recording is of; the first entry of a file. */
export interface TraceHeader {
  /** `header`. */
  readonly kind: 'header';
  /** When it began, as an ISO date. */
  readonly startedAt: string;
  /** The program and its arguments; empty where there is no process. */
  readonly argv: readonly string[];
  /** The working folder. */
  readonly cwd?: string | undefined;
  /** The system. */
  readonly platform: string;
  /** The processor. */
  readonly arch: string;
  /** What wrote the file. */
  readonly writer: string;
  /** Whether secrets were taken out. */
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
  /** The line as it was on the wire, but for what was redacted. */
  readonly line: string;
  /** The decoded object, typed on the catalog's word; undefined for noise. */
  readonly frame: Decoded | undefined;
}

/** A line of the wire; `from` tells what its frame can be. */
export type TraceLine = TraceLineOf<'cli', CliFrame> | TraceLineOf<'host', HostFrame>;

/** Makes a line of the wire. What the frame is, is taken on the catalog's word; nothing is checked. */
export function traceLine(line: TraceLineOf<Sender, WireObject>): TraceLine {
  return line as TraceLine;
}

/** What was learned on the way. */
export interface TraceFacts {
  /** `facts`. */
  readonly kind: 'facts';
  /** When, in milliseconds since the start. */
  readonly t: number;
  /** The version of the CLI. */
  readonly cliVersion?: string | undefined;
  /** The id of the session. */
  readonly sessionId?: string | undefined;
}

/** One side said that it sends no more. */
export interface TraceEof {
  /** `eof`. */
  readonly kind: 'eof';
  /** When, in milliseconds since the start. */
  readonly t: number;
  /** Whose input ended. */
  readonly from: Sender;
}

/** A signal was passed on to the CLI. */
export interface TraceSignal {
  /** `signal`. */
  readonly kind: 'signal';
  /** When, in milliseconds since the start. */
  readonly t: number;
  /** The signal. */
  readonly signal: string;
}

/** Lines were lost: the disk was too slow, or they were too long. */
export interface TraceGap {
  /** `gap`. */
  readonly kind: 'gap';
  /** When, in milliseconds since the start. */
  readonly t: number;
  /** How many lines are missing. */
  readonly lines: number;
}

/** The file reached its limit; what came after is not in it. */
export interface TraceFull {
  /** `full`. */
  readonly kind: 'full';
  /** The limit that was reached, in bytes. */
  readonly limit: number;
}

/** How the CLI ended, as far as a file can say it. */
export type RecordedEnd =
  | { readonly reason: 'closed' }
  | {
      readonly reason: 'exited';
      readonly code: number | null;
      readonly signal: string | null;
      readonly stderrTail: string;
    }
  | { readonly reason: 'failed'; readonly error: string };

/** The transport is over. */
export interface TraceEnd {
  /** `end`. */
  readonly kind: 'end';
  /** When, in milliseconds since the start. */
  readonly t: number;
  /** How the CLI ended. */
  readonly end: RecordedEnd;
}

/** An entry of a kind that this version does not know. */
export interface TraceUnknown {
  /** `unknown`. */
  readonly kind: 'unknown';
  /** The entry as it is. */
  readonly entry: WireObject;
}

/** A line of the file that cannot be read. */
export interface TraceBroken {
  /** `broken`. */
  readonly kind: 'broken';
  /** What is wrong with it. */
  readonly problem: string;
  /** The line as it is in the file. */
  readonly text: string;
  /** Whether it is the last one and has no end: the writer was stopped in the middle of it. */
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
