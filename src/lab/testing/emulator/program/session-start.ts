import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import { unusableReason, usableSchema } from '../agent/output-schema.js';
import { type SessionState, startSession } from '../session-state.js';
import type { Traits } from '../versions/traits.js';
import { type CliArguments, isRefusal, type Launch, lastValue, type Refusal } from './arguments.js';
import { flagServers } from './flag-servers.js';
import { continueCosts, resumedSession } from './resumed-session.js';
import { projectFolder } from './transcript.js';

/** Creates the session for a command line, or says why the CLI refuses it. */
export function launchSession(launch: Launch): SessionState | Refusal {
  const problem = flagProblem(launch);
  if (problem !== undefined) return { code: 1, stderr: `${problem}\n` };
  const resumed = resumedSession(launch);
  if (isRefusal(resumed)) return resumed;
  const transcriptFolder = projectFolder(launch.env, launch.cwd);
  const state = startSession({
    ...startOf(launch),
    transcriptFolder,
    sessionId: resumed.id,
    // A program replaces a CLI in everything it does; in memory, servers are often made up.
    startsServers: true,
  });
  for (const id of resumed.userMessageIds) state.userMessageIds.add(id);
  state.conversation.push(...resumed.conversation);
  state.isDeferred = resumed.isDeferred;
  continueCosts(state, resumed);
  const servers = flagServers(launch);
  if (isRefusal(servers)) return servers;
  for (const server of servers.connectable) state.servers.set(server.name, server);
  state.serverErrors = servers.errors;
  return state;
}

function flagProblem({ args, traits, env, isRoot }: Launch): string | undefined {
  const { flags } = args;
  const missing = [...flags.keys()].find((flag) => flag.startsWith('--') && !traits.takesFlag(flag));
  if (missing !== undefined) return `error: unknown option '${missing}'`;
  const isAuto = lastValue(args, '--permission-mode') === 'auto';
  if (isAuto && !traits.takesFlag('--permission-mode=auto'))
    return "error: option '--permission-mode <mode>' argument 'auto' is invalid.";
  if (lastValue(args, '--output-format') === 'stream-json' && !flags.has('--verbose')) {
    return 'Error: When using --print, --output-format=stream-json requires --verbose';
  }
  const unusableReason = outputSchemaProblem(args, traits);
  if (unusableReason !== undefined) return unusableReason;
  const id = lastValue(args, '--session-id');
  if (id !== undefined && !UUID.test(id)) return 'Error: Invalid session ID. Must be a valid UUID.';
  const skips =
    flags.has('--dangerously-skip-permissions') || flags.has('--allow-dangerously-skip-permissions');
  return skips && isRoot && env.IS_SANDBOX !== '1'
    ? '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons'
    : undefined;
}

/** What is wrong with the output schema, for versions that check it. */
export function outputSchemaProblem(args: CliArguments, traits: Traits): string | undefined {
  const schema = traits.checksJsonSchema ? lastValue(args, '--json-schema') : undefined;
  const problem = schema === undefined ? undefined : unusableReason(parsed(schema), traits);
  return problem === undefined ? undefined : `Error: --json-schema is not a valid JSON Schema: ${problem}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a command line and an environment request. */
export function startOf({
  args,
  env,
  cwd,
  pid,
  traits,
}: Pick<Launch, 'args' | 'env' | 'cwd' | 'pid' | 'traits'>): Partial<SessionState> {
  const { flags } = args;
  const skips = flags.has('--dangerously-skip-permissions');
  const sources = lastValue(args, '--setting-sources');
  const ownMode = traits.startsInDefaultMode ? 'default' : 'auto';
  return {
    cwd,
    home: env.HOME ?? env.USERPROFILE ?? cwd,
    pid,
    model: lastValue(args, '--model') ?? 'default',
    permissionMode: skips ? 'bypassPermissions' : (lastValue(args, '--permission-mode') ?? ownMode),
    partialMessages: flags.has('--include-partial-messages'),
    replayUserMessages: flags.has('--replay-user-messages'),
    promptsHost: lastValue(args, '--permission-prompt-tool') === 'stdio',
    bypassAllowed: forbidsBypass(args)
      ? false
      : skips || flags.has('--allow-dangerously-skip-permissions') || undefined,
    tellsActivity: isOn(env.CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS),
    ...(Number(env.MCP_TIMEOUT) > 0 ? { mcpTimeoutMs: Number(env.MCP_TIMEOUT) } : {}),
    checkpointing: isOn(env.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING),
    modelUrl: env.ANTHROPIC_BASE_URL || undefined,
    modelKey: env.ANTHROPIC_API_KEY ?? env.ANTHROPIC_AUTH_TOKEN,
    hasAccount: !env.ANTHROPIC_API_KEY && Boolean(env.CLAUDE_CODE_OAUTH_TOKEN),
    maxRetries: limit(env.CLAUDE_CODE_MAX_RETRIES, 10),
    maxTurns: limit(lastValue(args, '--max-turns'), Number.POSITIVE_INFINITY),
    maxBudgetUsd: limit(lastValue(args, '--max-budget-usd'), Number.POSITIVE_INFINITY),
    systemPrompt: lastValue(args, '--system-prompt'),
    appendSystemPrompt: lastValue(args, '--append-system-prompt') ?? '',
    surroundings: surroundingsOf({ env, cwd, traits }),
    jsonSchema: usableSchema(parsed(lastValue(args, '--json-schema')), traits),
    awaitsClaim: flags.has('--await-claim') ? performance.now() : undefined,
    awaitsInitialize: flags.has('--await-initialize'),
    ...(sources === undefined ? {} : { settingSources: sources.split(',').filter((name) => name !== '') }),
  };
}

function limit(text: string | undefined, usual: number): number {
  return text === undefined || Number.isNaN(Number(text)) ? usual : Number(text);
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

/**
 * Whether the settings on the command line forbid skipping permissions; the emulator reads nothing else in
 * them.
 */
function forbidsBypass(args: CliArguments): boolean {
  return /"disableBypassPermissionsMode"\s*:\s*"disable"/.test(lastValue(args, '--settings') ?? '');
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());
}

/** Where a process runs. */
interface Surrounded {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly traits: Traits;
}

/**
 * Blocks of the system prompt that a process writes again when it starts: older versions tell the model the date and the
 * state of the repository there. Newer ones keep what a conversation began with.
 */
function surroundingsOf({ env, cwd, traits }: Surrounded): readonly WireObject[] {
  return [
    ...billingLine(traits),
    ...(traits.keepsDate ? [] : [text(`Today is ${today(env.TZ)}.`)]),
    ...(traits.keepsGitStatus || !existsSync(join(cwd, '.git')) ? [] : [text(`Files: ${readdirSync(cwd)}`)]),
  ];
}

/** A line for billing. */
function billingLine({ billingLine: line, version }: Traits): readonly WireObject[] {
  if (line === 'none') return [];
  const mark = line === 'same' ? '000' : randomBytes(2).toString('hex');
  return [text(`x-anthropic-billing-header: cc_version=${version}.${mark};`)];
}

function today(timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: timeZone || undefined }).format(new Date());
}

function text(value: string): WireObject {
  return { type: 'text', text: value };
}
