import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { connectAgent } from '../../bridges/acp/agent.js';
import { sessionsOnDisk } from '../../bridges/acp/kept-sessions.js';
import { managedConversations } from '../../bridges/acp/managed-conversations.js';
import type { Effort, PermissionMode, SettingSource } from '../../host/cli/options/cli-options.js';
import { findCli } from '../../host/cli/program/find-cli.js';
import { resolveProgram } from '../../host/cli/program/program.js';
import type { LaunchOptions } from '../../server/manager/manager-options.js';
import { openManager } from '../../server/manager/open-manager.js';
import { readVariable, realSystem } from '../../wire/transport/process/system.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.js';
import { type ConsoleChoice, connectConsole } from '../served/find-console.js';
import { serveConsoleSessions } from './console-agent.js';

/** The flags of `coxswain acp`. */
export interface AcpFlags extends ConsoleChoice {
  readonly console?: boolean;
  readonly cli?: string;
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly effort?: Effort;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly appendSystemPrompt?: string;
  readonly settingSources?: readonly SettingSource[];
  readonly allowBypass?: boolean;
  readonly patched?: boolean;
  readonly maxRunning?: number;
  readonly idle?: number;
  readonly record?: string;
  readonly login?: boolean;
}

/**
 * Serves the editor at the other end of stdin and stdout until it disconnects, and leaves nothing running.
 */
export async function runAcp(flags: AcpFlags, context: CommandContext): Promise<number> {
  const { cwd, inIsTty, writeErr, onSignal } = context;
  if (flags.login === true) return logIn(flags.cli, cwd);
  const isOnConsole = flags.console === true || flags.url !== undefined || flags.state !== undefined;
  if (isOnConsole) return runOnConsole(flags, context);
  if (inIsTty)
    writeErr(
      'coxswain acp: this command is for editors, not for typing (see --help). Press Ctrl-D to quit.\n',
    );
  // Sessions are found again in the CLI's transcripts; this holds only the agent's own state.
  const store = mkdtempSync(join(tmpdir(), 'coxswain-acp-'));
  const manager = await openManager({
    store,
    maxRunning: flags.maxRunning,
    idleMs: flags.idle,
    onLimit: 'fail',
    ...recording(flags, cwd),
  });
  const { stdin, stdout } = process;
  const host = {
    conversations: managedConversations(manager),
    launch: launchOptions(flags),
    kept: sessionsOnDisk,
  };
  const connection = connectAgent(streamOf(stdin, stdout), host);
  const stopListening = onSignal(() => connection.close());
  try {
    await connection.closed;
  } finally {
    await manager.close();
    stopListening();
    rmSync(store, { recursive: true, force: true });
    // Nobody may be left to read or end them.
    stdin.destroy();
    stdout.destroy();
  }
  return EXIT_OK;
}

/** The same, on the sessions of a console, which continue without the editor. */
async function runOnConsole(flags: AcpFlags, context: CommandContext): Promise<number> {
  const { cli: _cli, patched: _patched, ...launch } = launchOptions(flags);
  const leaving = new AbortController();
  const stopListening = context.onSignal(() => leaving.abort());
  const { stdin, stdout } = process;
  await using found = await connectConsole(flags, 'owner', context, 'An editor');
  const { conversations } = found;
  try {
    await serveConsoleSessions({
      stream: streamOf(stdin, stdout),
      conversations,
      launch,
      signal: leaving.signal,
    });
  } finally {
    stopListening();
    stdin.destroy();
    stdout.destroy();
  }
  return EXIT_OK;
}

function streamOf(input: Readable, output: Writable): Stream {
  const readable = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  return ndJsonStream(Writable.toWeb(output) as WritableStream<Uint8Array>, readable);
}

function launchOptions(flags: AcpFlags): LaunchOptions {
  const { cli, model, permissionMode, effort, allow, deny, appendSystemPrompt, settingSources } = flags;
  const launch: LaunchOptions = {
    cli,
    model,
    permissionMode,
    effort,
    allowedTools: allow,
    disallowedTools: deny,
    appendSystemPrompt,
    settingSources,
    patched: flags.patched === true ? 'try' : undefined,
    allowDangerouslySkipPermissions: flags.allowBypass,
    partialMessages: true,
    onDiagnostic: null,
  };
  const given = Object.entries(launch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as LaunchOptions;
}

/** Each CLI start gets a separate recording: if the name is taken, a number is added. */
function recording({ record }: AcpFlags, cwd: string) {
  if (record === undefined) return {};
  const folder = resolve(cwd, record);
  mkdirSync(folder, { recursive: true });
  return { optionsFor: ({ name }: { readonly name: string }) => ({ record: join(folder, `${name}.trace`) }) };
}

/** Opens the CLI's own login in this terminal; the exit code says whether it succeeded. */
async function logIn(cli: string | undefined, cwd: string): Promise<number> {
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const system = realSystem();
  const searchPath = readVariable(system.platform, system.env, 'PATH') ?? '';
  const { file, prefix } = resolveProgram(search.found.path, { searchPath }, system);
  const child = spawn(file, [...prefix, '/login'], { cwd, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0 ? EXIT_OK : EXIT_FAILED;
}
