import type { WireObject } from '../../../../wire/protocol/frames.js';
import { toolResult } from '../../builders/user.js';
import type { Cli } from '../cli.js';
import type { Turn } from './emulated-turn.js';

/** A tool's result, or what replaces it. */
export interface ToolOutcome {
  readonly content: unknown;
  /** Undefined if the CLI does not report it. */
  readonly isError: boolean | undefined;
  /** The result as data, if it is more than the content. */
  readonly structured?: unknown;
}

/** Why a tool ran or did not run, as newer CLIs report it. */
export const permissionMeta = {
  allowedByHost: { permission_decision: { decision: 'accept', source: 'user_temporary' } },
  allowedByRule: {
    permission_decision: { decision: 'accept', source: 'config', reason_type: 'subcommandResults' },
  },
  deniedByHost: {
    non_execution_kind: 'permission-rule',
    permission_decision: { decision: 'reject', source: 'user_reject' },
  },
  deniedByHook: {
    non_execution_kind: 'permission-rule',
    permission_decision: { decision: 'reject', source: 'hook', reason_type: 'hook' },
  },
  interrupted: { non_execution_kind: 'user-rejected' },
} as const satisfies Readonly<Record<string, WireObject>>;

/** The call whose result is sent. */
export interface CalledTool {
  readonly turn: Turn;
  readonly toolUseId: string;
}

/** Sends a tool's result; only newer CLIs send `meta`. */
export async function sendOutcome(
  cli: Cli,
  { turn, toolUseId }: CalledTool,
  { content, isError, structured = content }: ToolOutcome,
  meta?: WireObject,
): Promise<void> {
  const told =
    cli.traits.detailed && meta !== undefined ? { tool_result_meta: [{ id: toolUseId, ...meta }] } : {};
  const overrides = { ...told, session_id: cli.state.sessionId };
  const parentToolUseId = turn.agent?.toolUseId ?? null;
  await cli.send(toolResult(toolUseId, content, { isError, structured, parentToolUseId }, overrides));
}

/** Sends the replacement for the result of an interrupted tool call. */
export async function sendInterrupted(cli: Cli, called: CalledTool, wasRunning: boolean): Promise<void> {
  const { turn, toolUseId } = called;
  if (!cli.traits.detailed) {
    const content = wasRunning
      ? 'Exit code 137\n[Request interrupted by user for tool use]'
      : 'Tool permission request failed: AbortError';
    await sendOutcome(cli, called, { content, isError: true });
    return;
  }
  const content = 'The user does not want this tool use: it was rejected.';
  const overrides = {
    tool_use_result: 'User rejected tool use',
    tool_result_meta: [{ id: toolUseId, ...permissionMeta.interrupted }],
    session_id: cli.state.sessionId,
  };
  const parentToolUseId = turn.agent?.toolUseId ?? null;
  await cli.send(toolResult(toolUseId, content, { isError: true, parentToolUseId }, overrides));
}
