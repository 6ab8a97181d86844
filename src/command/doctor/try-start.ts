import { openSession } from '../../entry/sdk/open-session.js';
import { capabilitiesOf } from '../../host/cli/capabilities.js';
import { OpenError } from '../../host/core/connection/open-error.js';
import type { Session } from '../../host/session/session.js';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { NotStartedFacts, ServerFacts, StartedFacts } from './diagnosis.js';

/** What to start, and how long to wait for it. */
export interface TryStartOptions {
  readonly cli: string;
  /** Its version, if known. */
  readonly version: string | undefined;
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** A start, with the version that the CLI reported. */
export interface TriedStart {
  readonly facts: StartedFacts | NotStartedFacts;
  readonly version: string | undefined;
}

/** How long to wait for servers that are still connecting. */
const SERVERS_MS = 5_000;
const SERVERS_POLL_MS = 250;

/**
 * Opens a session in the user's own environment and closes it again. It sends no message, keeps nothing, and makes
 * the API unreachable: some old CLIs call the model when they start.
 */
export async function tryStart(options: TryStartOptions): Promise<TriedStart> {
  const { cli, version, cwd, timeoutMs, env, clock } = options;
  const began = clock.now();
  try {
    const session = await openSession({
      cli,
      cwd,
      env: offline(env),
      handshakeMs: timeoutMs,
      ...(canKeepNothing(version) ? { persistSession: false } : {}),
      onPermission: (request) => request.deny('coxswain doctor denies every permission.'),
    });
    const durationMs = Math.round(clock.now() - began);
    try {
      const mcpServers = await serversOf(session, clock);
      const facts: StartedFacts = { ok: true, durationMs, account: accountOf(session.info), mcpServers };
      return { facts, version: session.version };
    } finally {
      await session.close();
    }
  } catch (error) {
    return { facts: failure(error), version: undefined };
  }
}

/** The oldest CLIs have no flag for it; without a message they store nothing anyway. */
function canKeepNothing(version: string | undefined): boolean {
  return capabilitiesOf({ version }).takesFlag('--no-session-persistence');
}

/** Nothing listens on the discard port; no proxy may carry the request elsewhere. */
function offline(env: TryStartOptions['env']): Record<string, string> {
  const nowhere = 'http://127.0.0.1:9';
  const direct = [env.NO_PROXY ?? env.no_proxy, '127.0.0.1'].filter((each) => each !== undefined).join(',');
  return {
    ANTHROPIC_BASE_URL: nowhere,
    ANTHROPIC_BEDROCK_BASE_URL: nowhere,
    ANTHROPIC_VERTEX_BASE_URL: nowhere,
    NO_PROXY: direct,
    no_proxy: direct,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  };
}

function accountOf({ account }: WireObject): Record<string, string> {
  if (!isObject(account)) return {};
  // The rest of it identifies a person.
  const keys = ['tokenSource', 'apiKeySource', 'apiProvider', 'subscriptionType'];
  return Object.fromEntries(
    keys.flatMap((key) => (typeof account[key] === 'string' ? [[key, account[key]]] : [])),
  );
}

async function serversOf(session: Session, clock: Clock): Promise<readonly ServerFacts[]> {
  const until = clock.now() + SERVERS_MS;
  for (;;) {
    const servers = readServers(await session.control('mcp_status').catch(() => ({})));
    const pending = servers.some(({ status }) => status === 'pending');
    if (!pending || clock.now() >= until) return servers;
    await new Promise<void>((resolve) => clock.after(SERVERS_POLL_MS, resolve));
  }
}

function readServers({ mcpServers }: WireObject): readonly ServerFacts[] {
  const servers = objectsIn(mcpServers);
  return servers.map(({ name, status, error }) => ({
    name: String(name),
    status: String(status),
    ...(typeof error === 'string' ? { error } : {}),
  }));
}

function failure(error: unknown): NotStartedFacts {
  const open = error instanceof OpenError ? error : undefined;
  const message = errorText(error);
  return {
    ok: false,
    code: error instanceof CoxswainError ? error.code : undefined,
    // The details of a failed open are on separate lines.
    message: open === undefined ? message : (message.split('\n')[0] ?? message),
    phase: open?.phase,
    commandLine: open?.commandLine,
    stderrTail: open?.stderrTail ?? '',
    noise: open?.noise ?? [],
    mcpServersPending: open?.mcpServersPending ?? [],
    debugLog: open?.debugLog,
  };
}
