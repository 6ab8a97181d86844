import { existsSync } from 'node:fs';
import { ControlPeer } from '../../../wire/peer/control-peer.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { classify, isObject, type WireObject } from '../../../wire/protocol/frames.js';
import type { ExitReport } from '../../../wire/transport/process/line-process.js';
import type { Transport, TransportEnd } from '../../../wire/transport/transport.js';
import type { Clock } from '../../../wire/util/clock.js';
import type { ErrorCode } from '../../../wire/util/error-codes.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { type Capabilities, capabilitiesOf, checkVersion } from '../../cli/capabilities.js';
import type { HostRole } from '../host-role.js';
import type { MessageDispatcher } from '../messages/message-dispatcher.js';
import type { CliRequestHandlers } from '../requests/cli-request-handlers.js';
import { describeEnd } from './cli-ended-error.js';
import { EarlyWords } from './early-words.js';
import type { LaunchedCli } from './launch.js';
import { OpenError } from './open-error.js';
import { startupFailure } from './startup-failures.js';

/** Receives the messages of a connection's CLI. */
export interface ConnectionOwner {
  receive(cli: LaunchedCli, message: WireObject, length: number): void;
  /** The CLI accepts no more lines, but has not ended. */
  pipeBroke(cli: LaunchedCli, error: Error): void;
  /** Creates the one error that everything waiting gets when the CLI ends. */
  endError(end: TransportEnd, waitedFor: readonly string[]): Error;
}

/** The options of a connection. */
export interface ConnectionParts {
  readonly cli: LaunchedCli;
  /** Whether the CLI was asked for a conversation that may not exist. */
  readonly resumes: boolean;
  /** How the CLI exited that had the conversation before, if this session had one. */
  readonly before?: ExitReport | undefined;
  readonly role: HostRole;
  readonly owner: ConnectionOwner;
  readonly messages: MessageDispatcher;
  readonly handlers: CliRequestHandlers;
  readonly handshakeMs: number;
  readonly deadlineMs: number;
  readonly clock: Clock;
}

/** One run of a CLI, from start to end. A reopened session has a new one. */
export interface Connection {
  readonly transport: Transport;
  readonly peer: ControlPeer;
  /** What the CLI can do. */
  readonly capabilities: Capabilities;
  /** The answer to `initialize`. */
  readonly info: WireObject;
}

/** Completes the handshake with a CLI. On failure the CLI is ended before the error is thrown. */
export async function connect(parts: ConnectionParts): Promise<Connection> {
  const { cli, role, owner, handlers, messages, handshakeMs } = parts;
  const early = new EarlyWords();
  const stopHearing = messages.on('result', (result) => early.noteResult(result));
  const known = { patches: cli.patched, isScript: cli.isScript };
  let capabilities = capabilitiesOf({ version: undefined, ...known });
  const peer = new ControlPeer(cli.transport, {
    onMessage: (message, length) => owner.receive(cli, message, length),
    onBrokenPipe: (error) => owner.pipeBroke(cli, error),
    onDiagnostic: (diagnostic) => {
      early.noteDiagnostic(diagnostic);
      role.diagnostic?.(diagnostic);
    },
    deadlineMs: parts.deadlineMs,
    endError: (end, waitedFor) => owner.endError(end, waitedFor),
    ...(role.watcher === undefined ? {} : { watcher: role.watcher }),
    // Old CLIs exit on a cancel.
    mayCancel: () => capabilities.has('takesCancel'),
    clock: parts.clock,
  });
  try {
    role.started?.(peer);
    handlers.register(peer);
    peer.start();
    if (role.needsVersion && cli.versionComesLate !== true)
      capabilities = capabilitiesOf({ version: await versionInTime(parts), ...known });
    const answer = await peer.request(role.initialize(capabilities, cli), { deadlineMs: handshakeMs });
    if (parts.resumes) await checkConversation(peer, parts);
    const info = isObject(answer.value) ? answer.value : {};
    const isTold = typeof info.claude_code_version === 'string';
    const version = isTold ? undefined : await versionInTime(parts);
    capabilities = capabilitiesOf({ version, initialize: info, ...known });
    checkVersion(capabilities.version);
    role.check?.(capabilities);
    redeliver(peer, answer.beside);
    early.stop();
    return { transport: cli.transport, peer, capabilities, info };
  } catch (error) {
    const end = await cli.transport.close();
    throw openError(error, { parts, end, early });
  } finally {
    stopHearing();
  }
}

/**
 * Under load, the oldest CLIs answer `initialize` and more while they exit because the conversation is missing. They
 * report that on stderr before they answer, so the text is here by the second answer.
 */
async function checkConversation(peer: ControlPeer, { cli, handshakeMs }: ConnectionParts): Promise<void> {
  await peer.request({ subtype: 'mcp_status' }, { deadlineMs: handshakeMs });
  if (MISSING.test(cli.stderrTail?.() ?? ''))
    throw new CoxswainError('CLI_ENDED', 'The CLI is exiting: it does not find the conversation.');
}

/** A version that is not found in time counts as unknown. */
function versionInTime({ cli, handshakeMs, clock }: ConnectionParts): Promise<string | undefined> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(handshakeMs, () => resolve(undefined));
    const done = (known: string | undefined) => {
      stopTimer();
      resolve(known);
    };
    cli.version.then(done, () => done(undefined));
  });
}

/** Open prompts are repeated next to the answer to any `initialize`, as whole requests. */
export function redeliver(peer: ControlPeer, beside: WireObject): void {
  for (const key of PENDING_KEYS) {
    const pending = beside[key];
    if (!Array.isArray(pending)) continue;
    for (const raw of pending.filter(isObject)) peer.redeliver(classify(raw));
  }
}

const PENDING_KEYS = [
  'pending_permission_requests',
  'pending_user_dialog_requests',
  'pending_elicitation_requests',
];

interface FailureContext {
  readonly parts: ConnectionParts;
  readonly end: TransportEnd;
  readonly early: EarlyWords;
}

function openError(error: unknown, { parts, end, early }: FailureContext): Error {
  const stderrTail = end.reason === 'exited' ? end.stderrTail : (parts.cli.stderrTail?.() ?? '');
  const failure = {
    phase: 'handshaking' as const,
    commandLine: parts.cli.commandLine,
    stderrTail,
    noise: early.noise.slice(),
    mcpServersPending: parts.role.serversPending ?? [],
    startupFailure: early.startupFailure,
    debugLog: existing(parts.cli.debugLog),
  };
  const code = error instanceof CoxswainError ? OPEN_CODES[error.code] : undefined;
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  if (MISSING.test(stderrTail) || MISSING.test(early.results)) {
    const what =
      lostWith(parts.before) ?? 'The session to resume does not exist for this home and working folder.';
    return new OpenError('SESSION_MISSING', what, failure, { cause: error });
  }
  const known = code === 'HANDSHAKE_ENDED' ? startupFailure(early.startupFailure)?.code : undefined;
  return new OpenError(known ?? code, sentence(code, error, { parts, end, early }), failure, {
    cause: error,
  });
}

/** Some CLIs write a transcript a moment after the result: a CLI that is killed before that takes it along. */
function lostWith(before: ExitReport | undefined): string | undefined {
  const isKilled = before?.signal === 'SIGKILL' || before?.step === 'kill';
  return isKilled
    ? 'The CLI was killed before it had written the conversation to disk, so it is lost.'
    : undefined;
}

/** A file that does not exist is not named. */
function existing(path: string | undefined): string | undefined {
  return path !== undefined && existsSync(path) ? path : undefined;
}

const OPEN_CODES: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = {
  REQUEST_REFUSED: 'HANDSHAKE_REFUSED',
  PROTOCOL_ERROR: 'HANDSHAKE_REFUSED',
  REQUEST_TIMEOUT: 'HANDSHAKE_TIMEOUT',
  CLI_ENDED: 'HANDSHAKE_ENDED',
  TRANSPORT_CLOSED: 'HANDSHAKE_ENDED',
  CALLBACK_UNREACHABLE: 'CALLBACK_UNREACHABLE',
  CLI_TOO_OLD: 'CLI_TOO_OLD',
};

/** These errors already say everything. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['CALLBACK_UNREACHABLE', 'CLI_TOO_OLD']);

// CLIs report it on stderr, in a result message, or in both.
const MISSING = /No conversation found with session ID|--resume requires a valid session ID/i;

function sentence(code: ErrorCode, error: unknown, { parts, end, early }: FailureContext): string {
  if (code === 'HANDSHAKE_TIMEOUT')
    return `The CLI did not answer initialize within ${parts.handshakeMs} ms.`;
  if (code === 'HANDSHAKE_ENDED') {
    const said = early.results === '' ? '' : ` It said: ${early.results}`;
    return `The CLI ended before it answered initialize (${describeEnd(end)}).${said}`;
  }
  if (TOLD.has(code) && error instanceof Error) return error.message;
  const reason = error instanceof RefusedError ? error.reason : String(error);
  return `The CLI refused initialize: ${reason}`;
}
