import { randomUUID } from 'node:crypto';
import { cliOptionsFor, type OwnLaunch } from '../../host/session/opening/session-launch.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { RequestOptions } from '../../wire/peer/control-peer.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import { type Clock, systemClock } from '../../wire/util/clock.js';
import { type ConsoleAddress, ConsoleClient } from './console-client.js';
import type { CommandName } from './contract.js';
import { type RemoteRole, RemoteTransport, type ServerLink } from './remote-transport.js';

/** Options of a remote session. */
export interface RemoteOptions extends ConsoleAddress {
  /** The id of a session to join. Default: a new one is opened. */
  readonly session?: string | undefined;
  /** When joining: the number of the event to start after, 0 for all. Default: only new events. */
  readonly after?: number | undefined;
  /** Keeps the session open on the server when it is closed here. Default: false. */
  readonly keep?: boolean | undefined;
}

/** Starts CLIs for one session of a program, on a console server. A reopened session is the same one there. */
export function remoteLauncher(
  options: SessionOptions,
  remote: RemoteOptions,
  clock: Clock = systemClock,
): OwnLaunch {
  const session = remote.session ?? randomUUID();
  let last: RemoteTransport | undefined;
  return async (identity, servers) => {
    const client = new ConsoleClient(remote, clock);
    await client.ready;
    const role: RemoteRole =
      remote.session === undefined
        ? { ...ownerOf(options, identity, servers), after: last?.lastEvent ?? 0, keep: remote.keep ?? false }
        : { kind: 'guest', after: last?.lastEvent ?? remote.after ?? -1 };
    const partial = options.partialMessages !== false;
    const transport = new RemoteTransport({ client, session, role, clock, partial });
    last = transport;
    return linkedCli(transport, { client, session }, `console server ${new URL(remote.url).origin}`);
  };
}

/** A program that opens a session with these options. */
export function ownerOf(
  options: SessionOptions,
  ...[identity, servers]: Parameters<OwnLaunch>
): Pick<Extract<RemoteRole, { kind: 'owner' }>, 'kind' | 'open'> {
  const open = (initialize: WireObject) => {
    const asked = cliOptionsFor(options, identity);
    const cli = JSON.parse(JSON.stringify({ ...asked, mcpServers: servers }));
    const { systemPrompt } = options;
    // The server joins a list if the CLI does not accept one.
    const said = Array.isArray(systemPrompt) ? { ...initialize, systemPrompt } : initialize;
    return { cwd: options.cwd ?? process.cwd(), program: { options: cli, initialize: said } };
  };
  return { kind: 'owner', open };
}

/** The CLI behind a link to a server, as a session starts it. */
export function linkedCli(
  transport: RemoteTransport,
  link: { readonly client: ServerLink; readonly session: string },
  commandLine: string,
): Awaited<ReturnType<OwnLaunch>> {
  return {
    transport,
    version: transport.version,
    // The server starts the CLI when it has `initialize`, and only then checks what that CLI supports.
    versionComesLate: true,
    otherHost: { ask: (method, params, asking) => askServer(link, method, params, asking) },
    commandLine,
  };
}

/** Every method that a session delegates to another host is a command with the same name. */
async function askServer(
  { client, session }: { readonly client: ServerLink; readonly session: string },
  method: string,
  params: WireObject,
  { signal, deadlineMs = PATIENCE_MS }: RequestOptions = {},
): Promise<WireObject> {
  const late = AbortSignal.timeout(deadlineMs);
  const options = { session, signal: signal === undefined ? late : AbortSignal.any([signal, late]) };
  return (await client.command(method as CommandName, params as never, options)) as WireObject;
}

/** The server has its own deadlines for its requests to the CLI. */
const PATIENCE_MS = 120_000;
