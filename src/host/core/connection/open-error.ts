import type { ErrorCode } from '../../../wire/util/error-codes.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { spanOf } from '../../cli/known-facts.js';
import { startupFailure } from './startup-failures.js';

/** Details of a failed open. */
export interface OpenFailure {
  /** What the session was doing: starting the process, or waiting for the handshake. */
  readonly phase: 'starting' | 'handshaking';
  /** The exact command line, secrets masked. */
  readonly commandLine: string | undefined;
  /** The last lines that the CLI wrote to stderr. */
  readonly stderrTail: string;
  /** The first stdout lines that are not protocol messages. */
  readonly noise: readonly string[];
  /** MCP servers that had not connected yet; old CLIs wait for them before they answer. */
  readonly mcpServersPending: readonly string[];
  /** The CLI's own word for why it did not start, such as `config_file_invalid`. */
  readonly startupFailure?: string | undefined;
  /** Where the CLI keeps its debug log; newer CLIs write it only with `debug`. */
  readonly debugLog: string | undefined;
}

/** A session could not be opened; nothing is left running. */
export class OpenError extends CoxswainError implements OpenFailure {
  /** What the session was doing. */
  readonly phase: 'starting' | 'handshaking';
  /** The exact command line, secrets masked. */
  readonly commandLine: string | undefined;
  /** The last lines that the CLI wrote to stderr. */
  readonly stderrTail: string;
  /** The first stdout lines that are not protocol messages. */
  readonly noise: readonly string[];
  /** MCP servers that had not connected yet. */
  readonly mcpServersPending: readonly string[];
  /** The CLI's own word for why it did not start, such as `config_file_invalid`. */
  readonly startupFailure: string | undefined;
  /** Where the CLI's debug log is, if there is one. */
  readonly debugLog: string | undefined;
  /** What to try first, if there is something. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, what: string, failure: OpenFailure, options?: ErrorOptions) {
    const hint = hintFor(code, failure);
    super(
      code,
      [what, ...details(failure), ...(hint === undefined ? [] : [`  hint: ${hint}`])].join('\n'),
      options,
    );
    this.phase = failure.phase;
    this.commandLine = failure.commandLine;
    this.stderrTail = failure.stderrTail;
    this.noise = failure.noise;
    this.mcpServersPending = failure.mcpServersPending;
    this.startupFailure = failure.startupFailure;
    this.debugLog = failure.debugLog;
    this.hint = hint;
  }
}

function hintFor(code: ErrorCode, failure: OpenFailure): string | undefined {
  const { noise, stderrTail, mcpServersPending } = failure;
  const known = startupFailure(failure.startupFailure);
  if (known !== undefined) return known.hint;
  if (noise.length > 0 && NOT_TALKING.has(code))
    return 'stdout contains text that is not protocol: check that this file is the Claude CLI, and that no wrapper prints anything.';
  if (code === 'HANDSHAKE_TIMEOUT' && mcpServersPending.length > 0)
    return `CLIs wait for the servers on their command line, except ${spanOf('answersBeforeServers').inWords}: check for a slow server, or raise handshakeMs.`;
  if (code === 'SESSION_MISSING')
    return 'a session belongs to its id, its working folder and its HOME; onMissing: "fresh" starts a new one.';
  if (NOT_TALKING.has(code) && stderrTail.trim() === '')
    return 'npx coxswain doctor checks the CLI step by step.';
  return undefined;
}

const NOT_TALKING: ReadonlySet<ErrorCode> = new Set(['HANDSHAKE_TIMEOUT', 'HANDSHAKE_ENDED']);

function details(failure: OpenFailure): readonly string[] {
  const { commandLine, stderrTail, noise, mcpServersPending, debugLog } = failure;
  return [
    ...(stderrTail.trim() === '' ? [] : [`  stderr: ${stderrTail.trim()}`]),
    ...(noise.length === 0 ? [] : [`  stdout: ${noise.join('\n    ')}`]),
    ...(commandLine === undefined ? [] : [`  command: ${commandLine}`]),
    ...(mcpServersPending.length === 0
      ? []
      : [`  MCP servers not set up yet: ${mcpServersPending.join(', ')}`]),
    ...(debugLog === undefined ? [] : [`  debug log: ${debugLog}`]),
  ];
}
