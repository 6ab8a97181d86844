import type { HookInput, HookJSONOutput } from './hook-types.js';
import type { McpMeta } from './mcp-types.js';
import type { PermissionResult, PermissionUpdate } from './permission-types.js';

/** Decides about a tool call. `null` means that it was answered in another way: nothing is written then. */
export type CanUseTool = (
  toolName: string,
  input: Record<string, unknown>,
  options: {
    signal: AbortSignal;
    suggestions?: PermissionUpdate[];
    blockedPath?: string;
    mcpServer?: { name: string; source: string };
    decisionReason?: string;
    title?: string;
    displayName?: string;
    description?: string;
    defaultToNo?: boolean;
    suppressAlwaysAllowRule?: boolean;
    toolUseID: string;
    agentID?: string;
    requestId: string;
    matchedAskRule?: { source: string; toolName: string; ruleContent?: string };
  },
) => Promise<PermissionResult | null>;

/** A question from an MCP server to the user. */
export type ElicitationRequest = {
  serverName: string;
  message: string;
  mode?: 'form' | 'url';
  url?: string;
  elicitationId?: string;
  requestedSchema?: Record<string, unknown>;
  title?: string;
  displayName?: string;
  description?: string;
};

/** The user's response to an elicitation. */
export type ElicitationResult = {
  action: 'accept' | 'decline' | 'cancel';
  content?: { [key: string]: string | number | boolean | string[] };
  _meta?: McpMeta;
  [key: string]: unknown;
};

/** Answers the questions of MCP servers. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>;

/** A dialog that the CLI asks the host to show. */
export type UserDialogRequest = { dialogKind: string; payload: Record<string, unknown>; toolUseID?: string };

/** The user's response to a dialog. */
export type UserDialogResult = { behavior: 'completed'; result: unknown } | { behavior: 'cancelled' };

/** Shows the CLI's dialogs. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;

/** Runs when its event happens. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookJSONOutput>;

/** Hooks for one matcher; `timeout` is in seconds. */
export interface HookCallbackMatcher {
  /** A tool name, `A|B`, or a pattern; every call when left out. */
  matcher?: string;
  /** The functions. */
  hooks: HookCallback[];
  /** How long the CLI waits, in seconds. */
  timeout?: number;
  /** What happens if the hook fails or is late. */
  onFailure?: 'continue' | 'block';
}
