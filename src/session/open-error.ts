import type { ErrorCode } from '../util/error-codes.js';
import { CoxswainError } from '../util/errors.js';

/** What is known about an open that failed. */
export interface OpenFailure {
  /** What the session was doing: starting the process, or shaking hands with it. */
  readonly phase: 'starting' | 'handshaking';
  /** The exact command line, secrets masked. */
  readonly commandLine: string | undefined;
  /** The last lines that the CLI wrote to stderr. */
  readonly stderrTail: string;
  /** MCP servers that were not seen to be set up; CLIs up to 2.1.17 wait for them before they answer. */
  readonly mcpServersPending: readonly string[];
  /** Where the CLI keeps its debug log; newer CLIs write it only with `debug`. */
  readonly debugLog: string | undefined;
}

/** A session could not be opened; nothing of it is left behind. */
export class OpenError extends CoxswainError implements OpenFailure {
  readonly phase: 'starting' | 'handshaking';
  readonly commandLine: string | undefined;
  readonly stderrTail: string;
  readonly mcpServersPending: readonly string[];
  readonly debugLog: string | undefined;

  constructor(code: ErrorCode, what: string, failure: OpenFailure, options?: ErrorOptions) {
    super(code, [what, ...details(failure)].join('\n'), options);
    this.phase = failure.phase;
    this.commandLine = failure.commandLine;
    this.stderrTail = failure.stderrTail;
    this.mcpServersPending = failure.mcpServersPending;
    this.debugLog = failure.debugLog;
  }
}

function details({ commandLine, stderrTail, mcpServersPending, debugLog }: OpenFailure): readonly string[] {
  return [
    ...(stderrTail.trim() === '' ? [] : [`  stderr: ${stderrTail.trim()}`]),
    ...(commandLine === undefined ? [] : [`  command: ${commandLine}`]),
    ...(mcpServersPending.length === 0
      ? []
      : [`  MCP servers not set up yet: ${mcpServersPending.join(', ')}`]),
    ...(debugLog === undefined ? [] : [`  debug log: ${debugLog}`]),
  ];
}
