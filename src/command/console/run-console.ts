import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { capabilitiesOf } from '../../host/cli/capabilities.js';
import { passOptions } from '../../host/cli/options/arguments.js';
import { versionBeside } from '../../host/cli/program/cli-version.js';
import { findCli } from '../../host/cli/program/find-cli.js';
import { cliToStart } from '../../host/session/opening/patched-cli.js';
import { isLoopbackName } from '../../server/console/http/names.js';
import { type Console, type ConsoleOptions, startConsole } from '../../server/console/start-console.js';
import { windowsProgram } from '../../wire/transport/process/program-path.js';
import { realSystem } from '../../wire/transport/process/system.js';
import { errorCode, errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { serveEditor } from '../acp/editor-socket.js';
import type { CommandContext } from '../command-context.js';
import { foundHow } from '../doctor/found-how.js';
import { EXIT_OK } from '../exit-codes.js';
import { flagOf } from '../flag-names.js';
import { type EngineFlags, engineOptions } from '../fleet/engine-flags.js';
import { lookFor } from '../terminal/look.js';
import { makeDemoProject } from './demo-project.js';
import { sandboxOf } from './sandbox-flag.js';
import { scrubEnvironment } from './scrub-environment.js';

/** The options of `coxswain console`. */
export interface ConsoleFlags extends EngineFlags {
  readonly label?: readonly string[];
  readonly priority?: number;
  readonly cliVersion?: string;
  /** In milliseconds. */
  readonly keep?: number;
  readonly port?: number;
  readonly host?: string;
  readonly root?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly apiOrigin?: readonly string[];
  readonly webhookHost?: readonly string[];
  readonly publicUrl?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly allowBypass?: boolean;
  readonly watch?: boolean;
  readonly cli?: string;
  readonly patched?: boolean;
  readonly sandbox?: string;
  readonly chrome?: boolean;
  readonly maxRunning?: number;
  /** In milliseconds. */
  readonly idle?: number;
  readonly onLimit?: 'wait' | 'fail';
  readonly holdAbove?: number;
  readonly maxBudgetUsd?: number;
  readonly ownerBudgetUsd?: number;
  readonly dayBudgetUsd?: number;
  readonly totalBudgetUsd?: number;
  readonly state?: string;
  readonly open: boolean;
  readonly json?: boolean;
  readonly demo?: boolean;
}

/** The preferred port; if it is taken, any free one is used. */
const USUAL_PORT = 7420;

/** Runs the console until it is stopped, and resolves with the exit code. */
export async function runConsole(flags: ConsoleFlags, context: CommandContext): Promise<number> {
  checkGatewayFlags(flags);
  const ending = context.untilSignal();
  const tokens = takeTokens(context);
  await using prepared = await prepare(flags, context);
  const onPageUrlUsed = (next: string) => {
    if (flags.json !== true) context.writeErr(`Address used. For another browser, open: ${next}\n`);
  };
  const roots = rootsOf(flags, prepared, context);
  const options = {
    ...prepared.options,
    ...sharedOptions(flags, context, tokens),
    roots,
    onPageUrlUsed,
  };
  const start = await startFor(flags, context);
  await using server = await startOnFreePort(start, flags.port, {
    ...options,
    sockets: { '/acp': serveEditor },
  });
  const demoState = flags.demo === true ? options.stateFolder : undefined;
  print(server, { ...flags, cliText: prepared.cli, roots, demoState }, context);
  await using _opened = await openIfWanted(flags, server, context);
  await ending;
  return EXIT_OK;
}

interface Prepared extends AsyncDisposable {
  /** Which CLI is used, in words. */
  readonly cli: string;
  readonly options: ConsoleOptions;
}

interface Tokens {
  readonly token: string | undefined;
  readonly watchToken: string | undefined;
}

/** Reads the tokens and leaves no trace of them: a CLI's tools can inspect this process. */
function takeTokens({ env, platform }: CommandContext): Tokens {
  const { COXSWAIN_TOKEN: token, COXSWAIN_WATCH_TOKEN: watchToken } = env;
  scrubEnvironment(['COXSWAIN_TOKEN', 'COXSWAIN_WATCH_TOKEN'], platform);
  return { token, watchToken };
}

/** The folders of the sessions: the demo brings its own. */
function rootsOf({ root }: ConsoleFlags, { options }: Prepared, { cwd }: CommandContext): readonly string[] {
  return root?.map((each) => resolve(cwd, each)) ?? options.roots ?? [cwd];
}

function sharedOptions(
  flags: ConsoleFlags,
  { cwd }: CommandContext,
  { token, watchToken }: Tokens,
): ConsoleOptions {
  const { host, allowHost: allowedHosts, apiOrigin: apiOrigins, allowBypass } = flags;
  const { state, maxRunning, idle, onLimit, webhookHost: webhookHosts, publicUrl } = flags;
  const stateFolder = state === undefined ? {} : { stateFolder: resolve(cwd, state) };
  const tls = readTls(flags, cwd);
  return {
    host,
    allowedHosts,
    apiOrigins,
    webhookHosts,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    allowBypass,
    token,
    watchToken: watchToken ?? flags.watch,
    tls,
    maxRunning,
    idleMs: idle,
    onLimit,
    holdAbove: flags.holdAbove,
    budgets: {
      conversation: flags.maxBudgetUsd,
      owner: flags.ownerBudgetUsd,
      day: flags.dayBudgetUsd,
      total: flags.totalBudgetUsd,
    },
    ...stateFolder,
  };
}

function readTls({ tlsCert, tlsKey }: ConsoleFlags, cwd: string): ConsoleOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CoxswainError('OPTION_INVALID', 'Use --tls-cert and --tls-key together.');
  try {
    const [cert = '', key = ''] = [tlsCert, tlsKey].map((path) => readFileSync(resolve(cwd, path), 'utf8'));
    return { cert, key };
  } catch (error) {
    throw new CoxswainError('OPTION_INVALID', `The certificate cannot be read: ${errorText(error)}.`);
  }
}

/** A fleet gateway starts no CLI. */
async function startFor(flags: ConsoleFlags, context: CommandContext): Promise<typeof startConsole> {
  if (flags.nats === undefined) return startConsole;
  const { startGateway } = await import('../../server/fleet/gateway/start-gateway.js');
  const fleet = engineOptions(flags, context);
  const { label: labels = [], priority = 0, cliVersion: cli, keep: maxAgeMs } = flags;
  const retention = maxAgeMs === undefined ? undefined : { maxAgeMs };
  // Flags for budgets were refused.
  return ({ budgets: _none, ...options } = {}) =>
    startGateway({ ...options, fleet, place: { priority, labels, cli }, retention });
}

function prepare(flags: ConsoleFlags, context: CommandContext): Promise<Prepared> {
  if (flags.nats !== undefined) return Promise.resolve(GATEWAY);
  return flags.demo === true ? prepareDemo() : prepareReal(flags, context);
}

const GATEWAY: Prepared = {
  cli: 'those of the workers, in their folders',
  options: {},
  [Symbol.asyncDispose]: async () => {},
};

async function prepareReal(flags: ConsoleFlags, { cwd, env }: CommandContext): Promise<Prepared> {
  const patched = flags.patched === true;
  const spawner = await sandboxOf(flags, { cwd, env });
  if (spawner?.hasOwnPrograms === true) {
    const cli = flags.cli ?? 'claude';
    await cliToStart({ patched, cli, spawner });
    const options = { session: { cli, spawner, ...(flags.chrome === true ? { chrome: true } : {}) } };
    return { cli: `${cli} in ${spawner.name}`, options, [Symbol.asyncDispose]: async () => {} };
  }
  const search = findCli({ cli: flags.cli, cwd });
  if (search.error !== undefined) throw search.error;
  const { path, how } = search.found;
  // Better to refuse now than for every session.
  const { told } = await cliToStart({ patched, cli: path, cwd });
  const chrome = flags.chrome === true ? { chrome: true } : {};
  passOptions(chrome, capabilitiesOf({ version: versionBeside(path, realSystem()) }));
  const inside = spawner === undefined ? '' : ` in ${spawner.name}`;
  const cli = [`${path} (${foundHow(how)})${inside}`, ...told.map(({ message }) => message)].join('\n');
  return {
    cli,
    options: { session: { cli: path, patched, spawner, ...chrome } },
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The demo does not touch real sessions, and leaves nothing on disk. */
async function prepareDemo(): Promise<Prepared> {
  // The emulator loads the wire schemas, which other commands should not wait for.
  const { CONSOLE_SUGGESTIONS, demoSession } = await import('./demo-scenario.js');
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-demo-'));
  const project = await makeDemoProject(join(folder, 'greeting'));
  return {
    cli: 'emulated, in this process',
    options: {
      roots: [project],
      stateFolder: join(folder, 'state'),
      demo: { suggestions: CONSOLE_SUGGESTIONS },
      session: (opened) => demoSession(opened, project),
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** A port set by the user is used or refused; the default port may be replaced. */
async function startOnFreePort(
  start: typeof startConsole,
  port: number | undefined,
  options: ConsoleOptions,
): Promise<Console> {
  if (port !== undefined) return start({ ...options, port });
  try {
    return await start({ ...options, port: USUAL_PORT });
  } catch (error) {
    const cause =
      error instanceof CoxswainError && error.code === 'CONSOLE_NOT_STARTED' ? error.cause : undefined;
    const isTaken = errorCode(cause) === 'EADDRINUSE';
    if (!isTaken) throw error;
    return start({ ...options, port: 0 });
  }
}

function print(
  { url, pageUrl, origin, port, token, watchUrl, problems }: Console,
  {
    json,
    allowBypass,
    roots,
    demo = false,
    host = '127.0.0.1',
    tlsCert,
    cliText,
    nats,
    demoState,
  }: ConsoleFlags & {
    readonly cliText: string;
    readonly roots: readonly string[];
    readonly demoState: string | undefined;
  },
  { writeOut, writeErr, errIsTty, env, platform }: CommandContext,
): void {
  if (json === true) {
    const printed = { schema: 1, url, pageUrl, watchUrl, origin, port, token, roots, demo, cli: cliText };
    writeOut(`${JSON.stringify({ ...printed, problems })}\n`);
    return;
  }
  const { red } = lookFor({ isTty: errIsTty, env, platform });
  writeOut(`${pageUrl}\n`);
  writeErr(`CLI: ${cliText}\n${nats === undefined ? `Folders: ${roots.join(', ')}\n` : ''}`);
  if (demoState !== undefined)
    writeErr(
      `A demo is separate from your own console. In a terminal: npx coxswain ps --state ${demoState}\n`,
    );
  for (const problem of problems) writeErr(`${red('Stored data cannot be used:')} ${problem}\n`);
  if (watchUrl !== undefined) writeErr(`Read-only access: ${watchUrl}\n`);
  if (!isLoopbackName(host)) {
    writeErr(red('Anyone who can reach this machine can reach the console; only its keys protect it.\n'));
    if (tlsCert === undefined)
      writeErr(
        red(
          'Nothing is encrypted: anyone on the network path can read keys and conversations (use --tls-cert).\n',
        ),
      );
  }
  if (allowBypass === true)
    writeErr(`${red('Clients may turn off all permission checks (--allow-bypass).')}\n`);
  writeErr(nats === undefined ? LAST_WORDS : GATEWAY_LAST_WORDS);
}

const LAST_WORDS =
  'The address works once, for one browser, and lets it run commands here as you. Ctrl-C ends the console and its sessions.\n';
const GATEWAY_LAST_WORDS =
  'The address works once, for one browser, and lets it run commands on the workers. Ctrl-C stops the gateway; conversations continue.\n';

async function openIfWanted(
  { open, json }: ConsoleFlags,
  { pageUrl }: Console,
  { outIsTty, platform }: CommandContext,
): Promise<AsyncDisposable> {
  const close = open && json !== true && outIsTty ? await openBrowser(pageUrl, platform) : async () => {};
  return { [Symbol.asyncDispose]: close };
}

/** The programs that open an address in the user's browser. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Not with `cmd`, which would treat an `&` in the file's path as the end of the command.
  win32: [windowsProgram('rundll32'), 'url.dll,FileProtocolHandler'],
};

/**
 * Opens an address in the user's browser, through a private file that redirects to it: everyone on the machine can
 * read a program's arguments, and the address contains a token. The returned function removes the file.
 */
async function openBrowser(url: string, platform: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-open-'));
  const page = join(folder, 'console.html');
  await writeFile(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
  });
  const [command, ...args] = OPENERS[platform] ?? ['xdg-open'];
  const opener = spawn(command, [...args, pathToFileURL(page).href], {
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  });
  // The address was printed anyway.
  opener.on('error', () => {});
  opener.unref();
  return () => rm(folder, { recursive: true, force: true });
}

/** Flags about CLIs: a gateway has none. */
const NOT_OF_GATEWAYS = [
  'root',
  'cli',
  'patched',
  'sandbox',
  'maxRunning',
  'idle',
  'onLimit',
  'holdAbove',
  'maxBudgetUsd',
  'ownerBudgetUsd',
  'dayBudgetUsd',
  'totalBudgetUsd',
  'demo',
] as const satisfies readonly (keyof ConsoleFlags)[];

/** Flags of gateways alone. */
const OF_GATEWAYS = [
  'label',
  'priority',
  'keep',
  'cliVersion',
  'namespace',
  'replicas',
  'creds',
  'nkey',
  'natsCa',
  'natsCert',
  'natsKey',
] as const satisfies readonly (keyof ConsoleFlags)[];

/** Refuses flags that would do nothing. @throws CoxswainError `OPTION_INVALID` */
function checkGatewayFlags(flags: ConsoleFlags): void {
  const isGateway = flags.nats !== undefined;
  const useless = (isGateway ? NOT_OF_GATEWAYS : OF_GATEWAYS).filter((name) => flags[name] !== undefined);
  if (useless.length === 0) return;
  const names = useless.map(flagOf).join(', ');
  const why = isGateway
    ? `${names} cannot be used with --nats: a gateway has no CLIs. See coxswain worker --help.`
    : `${names} can only be used with --nats.`;
  throw new CoxswainError('OPTION_INVALID', why);
}
