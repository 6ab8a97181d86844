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
  /** Where it was declared: the command line, a settings file, `initialize` or `mcp_set_servers`. */
  readonly from: 'flags' | 'settings' | 'initialize' | 'request';
  readonly config: WireObject;
  status: 'pending' | 'connected' | 'failed' | 'disabled';
  /** When it connected. */
  connectedAt?: number;
  serverInfo: WireObject | undefined;
  tools: readonly WireObject[];
  error: string | undefined;
  /** Settles when its handshake is over. */
  handshake: Promise<void> | undefined;
  /** Whether it was initialized again after a failure. */
  retried: boolean;
  /** Whether it has resources. */
  hasResources: boolean;
  /** Its process, if there is one. */
  process: ServerProcess | undefined;
}

/** A background task. */
export interface TaskState {
  readonly id: string;
  readonly toolUseId: string | undefined;
  readonly description: string;
  readonly type: string;
  /** Distinguishes two runs of one task. */
  readonly runId: string;
  status: 'running' | 'completed' | 'failed' | 'killed';
  /** Its output so far. */
  readonly output: () => string;
  /** Ends it, if something is really running. */
  readonly stop?: () => void;
}

/** A rule from the host's answer. */
export interface PermissionRule {
  readonly toolName: string;
  readonly ruleContent: string | undefined;
  readonly behavior: string;
}

/** The state of an emulated session. */
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
  /** Whether prompts go to the host; otherwise every prompt is denied. */
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
  /** A model that old versions switch to at the next turn. */
  nextModel: string | undefined;
  hooks: Map<string, readonly HookMatcher[]>;
  agents: WireObject;
  servers: Map<string, ServerState>;
  /** Command-line servers that were left out, with the reason. */
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
  /** How many of them the results so far have counted. */
  countedCalls: number;
  /** Whether the model was told about skills by this process. */
  toldSkills: boolean;
  settings: Record<string, unknown>;
  /** The loaded settings files: user, project, local. */
  settingSources: readonly string[];
  title: string | undefined;
  /** Whether it is a patched copy: it names its patches, and serves what they add. */
  patched: boolean;
  /** The id of the next JSON-RPC request to an in-process server. */
  nextRpcId: number;
  /** Where to call a model, for scenarios that use one. */
  modelUrl: string | undefined;
  modelKey: string | undefined;
  /** Whether it has an account instead of a key: then it reports usage limits. */
  hasAccount: boolean;
  /** The usage limits that it reported last, without the windows. */
  toldLimits: string | undefined;
  /** How often a model call is retried. */
  maxRetries: number;
  /** How often the model may be called in one turn. */
  maxTurns: number;
  /** The budget of the session, in dollars. */
  maxBudgetUsd: number;
  /** Replaces the CLI's own system prompt. */
  systemPrompt: string | undefined;
  appendSystemPrompt: string;
  /** Blocks of the system prompt that depend on where and when the process was started. */
  surroundings: readonly WireObject[];
  thinkingTokens: number;
  /** The folder's skills that the model is told about. Default: all. */
  skills: readonly string[] | undefined;
  /** The output format that the host wants. */
  jsonSchema: WireObject | undefined;
  /** The model's context: everything said in turns that called it. */
  conversation: WireObject[];
  /** Whether a call is pending that was deferred before the session was resumed. */
  isDeferred: boolean;
  checkpoints: Checkpoints;
  /** Whether to start MCP servers on stdio; otherwise they are assumed to be connected. */
  startsServers: boolean;
  /** Since when it has been waiting to be claimed, if it was started in advance. */
  awaitsClaim: number | undefined;
  /** Whether it reads `initialize` before it loads plugins and servers. */
  awaitsInitialize: boolean;
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
    | 'hasAccount'
    | 'maxRetries'
    | 'maxTurns'
    | 'maxBudgetUsd'
    | 'systemPrompt'
    | 'appendSystemPrompt'
    | 'jsonSchema'
    | 'awaitsClaim'
    | 'awaitsInitialize'
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
    countedCalls: 0,
    toldSkills: false,
    settings: {},
    settingSources: ['user', 'project', 'local'],
    title: undefined,
    patched: false,
    nextRpcId: 2,
    modelUrl: undefined,
    modelKey: undefined,
    hasAccount: false,
    toldLimits: undefined,
    maxRetries: 10,
    maxTurns: Number.POSITIVE_INFINITY,
    maxBudgetUsd: Number.POSITIVE_INFINITY,
    systemPrompt: undefined,
    appendSystemPrompt: '',
    surroundings: [],
    thinkingTokens: 0,
    skills: undefined,
    jsonSchema: undefined,
    conversation: [],
    isDeferred: false,
    checkpoints: new Checkpoints(),
    awaitsClaim: undefined,
    awaitsInitialize: false,
    startsServers: false,
    ...start,
  };
}
