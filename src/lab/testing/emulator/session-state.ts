import type { WireObject } from '../../../wire/protocol/frames.js';
import { Checkpoints } from './agent/checkpoints.js';
import type { ServerProcess } from './asking/server-process.js';

/** A registered hook, from `initialize`. */
export interface HookMatcher {
  readonly matcher: string | undefined;
  readonly callbackIds: readonly string[];
  readonly timeoutMs: number;
  readonly blocksOnFailure: boolean;
}

/** An MCP server as the CLI sees it. */
export interface ServerState {
  readonly name: string;
  readonly kind: 'sdk' | 'process';
  /** Who named it: the command line, a settings file, `initialize` or `mcp_set_servers`. */
  readonly from: 'flags' | 'settings' | 'initialize' | 'request';
  readonly config: WireObject;
  status: 'pending' | 'connected' | 'failed' | 'disabled';
  serverInfo: WireObject | undefined;
  tools: readonly WireObject[];
  error: string | undefined;
  /** Settles when its handshake is over. */
  handshake: Promise<void> | undefined;
  /** Whether it was greeted again after it had failed. */
  retried: boolean;
  /** Whether it has resources. */
  hasResources: boolean;
  /** The process that it runs in, while it does. */
  process: ServerProcess | undefined;
}

/** A background task. */
export interface TaskState {
  readonly id: string;
  readonly toolUseId: string | undefined;
  readonly description: string;
  readonly type: string;
  /** Tells two runs of one task apart. */
  readonly runId: string;
  status: 'running' | 'completed' | 'failed' | 'killed';
  /** What it wrote so far. */
  readonly output: () => string;
  /** Ends it, where something really runs. */
  readonly stop?: () => void;
}

/** A rule that the host gave with an answer. */
export interface PermissionRule {
  readonly toolName: string;
  readonly ruleContent: string | undefined;
  readonly behavior: string;
}

/** All that an emulated session remembers. */
export interface SessionState {
  sessionId: string;
  cwd: string;
  home: string;
  /** Where transcripts are said to be. Default: under the home. */
  transcriptFolder: string | undefined;
  model: string;
  permissionMode: string | undefined;
  partialMessages: boolean;
  replayUserMessages: boolean;
  /** Whether prompts go to the host; without that every prompt is a denial. */
  promptsHost: boolean;
  /** Whether `bypassPermissions` may be set; undefined leaves it to the version. */
  bypassAllowed: boolean | undefined;
  /** The id of this process, as reported by `initialize`. */
  pid: number;
  checkpointing: boolean;
  initialized: boolean;
  /** Whether to report session activity to the host. */
  tellsActivity: boolean;
  /** How long an in-process server may take. Default: as in the emulated version. */
  mcpTimeoutMs: number | undefined;
  /** A model that old versions take up at the next turn. */
  nextModel: string | undefined;
  hooks: Map<string, readonly HookMatcher[]>;
  agents: WireObject;
  servers: Map<string, ServerState>;
  /** Servers of the command line that were left out, with the reason. */
  serverErrors: readonly WireObject[];
  tasks: Map<string, TaskState>;
  rules: PermissionRule[];
  seenUuids: Set<string>;
  /** The uuids of messages that turns answered, for `rewind_files`. */
  userMessageIds: Set<string>;
  results: number;
  lastResultIsError: boolean;
  totalCost: number;
  calls: Map<string, number>;
  settings: Record<string, unknown>;
  /** The settings files that are loaded: user, project, local. */
  settingSources: readonly string[];
  title: string | undefined;
  /** Whether it is a patched copy: it names its patches, and serves what they add. */
  patched: boolean;
  /** The id of the next JSON-RPC request to an in-process server. */
  nextRpcId: number;
  /** Where a model is called, for scenarios that call one. */
  modelUrl: string | undefined;
  modelKey: string | undefined;
  /** How often a call of the model is tried again. */
  maxRetries: number;
  /** How often the model is called in one turn. */
  maxTurns: number;
  /** The budget of the session, in dollars. */
  maxBudgetUsd: number;
  /** Replaces the CLI's own system prompt. */
  systemPrompt: string | undefined;
  appendSystemPrompt: string;
  thinkingTokens: number;
  /** The skills of the folder that the model is told of. Default: all. */
  skills: readonly string[] | undefined;
  /** The form that the host wants results in. */
  jsonSchema: WireObject | undefined;
  /** What the model hears: all that was said in turns that called it. */
  conversation: WireObject[];
  /** Whether a call waits that was put off before it was resumed. */
  isDeferred: boolean;
  checkpoints: Checkpoints;
  /** Whether to start MCP servers on stdio; otherwise they are assumed to be connected. */
  startsServers: boolean;
  /** Since when it waits to be claimed, if it was started in advance. */
  awaitsClaim: number | undefined;
}

type InferredStart<State extends SessionState> = Partial<
  Pick<
    State,
    | 'sessionId'
    | 'cwd'
    | 'home'
    | 'transcriptFolder'
    | 'model'
    | 'permissionMode'
    | 'partialMessages'
    | 'replayUserMessages'
    | 'promptsHost'
    | 'bypassAllowed'
    | 'pid'
    | 'settingSources'
    | 'tellsActivity'
    | 'mcpTimeoutMs'
    | 'checkpointing'
    | 'modelUrl'
    | 'modelKey'
    | 'maxRetries'
    | 'maxTurns'
    | 'maxBudgetUsd'
    | 'systemPrompt'
    | 'appendSystemPrompt'
    | 'jsonSchema'
    | 'awaitsClaim'
    | 'startsServers'
    | 'patched'
  >
>;

/** The start options of an emulated session. */
export type SessionStart = InferredStart<SessionState>;

/** The state of a session at its start. */
export function startSession(start: SessionStart & { readonly sessionId: string }): SessionState {
  return {
    cwd: '/project',
    home: '/home/user',
    transcriptFolder: undefined,
    model: 'default',
    permissionMode: 'default',
    partialMessages: false,
    replayUserMessages: false,
    promptsHost: true,
    bypassAllowed: undefined,
    pid: 4711,
    checkpointing: true,
    initialized: false,
    tellsActivity: false,
    mcpTimeoutMs: undefined,
    nextModel: undefined,
    hooks: new Map(),
    agents: {},
    servers: new Map(),
    serverErrors: [],
    tasks: new Map(),
    rules: [],
    seenUuids: new Set(),
    userMessageIds: new Set(),
    results: 0,
    lastResultIsError: false,
    totalCost: 0,
    calls: new Map(),
    settings: {},
    settingSources: ['user', 'project', 'local'],
    title: undefined,
    patched: false,
    nextRpcId: 2,
    modelUrl: undefined,
    modelKey: undefined,
    maxRetries: 10,
    maxTurns: Number.POSITIVE_INFINITY,
    maxBudgetUsd: Number.POSITIVE_INFINITY,
    systemPrompt: undefined,
    appendSystemPrompt: '',
    thinkingTokens: 0,
    skills: undefined,
    jsonSchema: undefined,
    conversation: [],
    isDeferred: false,
    checkpoints: new Checkpoints(),
    awaitsClaim: undefined,
    startsServers: false,
    ...start,
  };
}
