import type { OpenParams } from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { kinds } from '../../../wire/util/option-checks.js';

/**
 * Settings changed while a session runs. Older CLIs report none of them, and no CLI reports its thinking
 * limit.
 */
export interface Setting {
  readonly model?: string;
  readonly permissionMode?: string;
  /** Null if there is no longer a limit. */
  readonly maxThinkingTokens?: number | null;
  /** The disabled MCP servers; disabled by the session, not by the CLI's own settings. */
  readonly disabledServers?: readonly string[];
}

/** The setting that results from disabling or enabling a server. */
export function switchSetting({ disabledServers = [] }: OpenParams, server: string, isOff: boolean): Setting {
  const others = disabledServers.filter((name) => name !== server);
  return { disabledServers: isOff ? [...others, server] : others };
}

/** Disables servers that were disabled before, and reports errors. Servers that no longer exist are skipped. */
async function switchOff({ mcp }: Session, servers: readonly string[] = []): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const server of servers) {
    const { error } = await mcp.disable(server).catch((reason: unknown) => ({
      error: errorCode(reason) === 'MCP_SERVER_UNKNOWN' ? null : errorText(reason),
    }));
    if (error !== null)
      problems.push(`MCP server "${server}" was disabled, but could not be disabled again: ${error}`);
  }
  return problems;
}

/** Disables servers as soon as a CLI is ready. If it does not become ready, the caller gets the error. */
export async function keepOff(
  session: Session,
  servers: readonly string[] | undefined,
  onProblem: (problem: string) => void,
): Promise<void> {
  try {
    await session.ready;
    for (const problem of await switchOff(session, servers)) onProblem(problem);
  } catch {
    // It has ended.
  }
}

/** What an answered control request has set. */
export function settingOf(subtype: string, params: WireObject): Setting {
  const { model, mode, max_thinking_tokens: tokens } = params;
  if (subtype === 'set_model' && typeof model === 'string') return { model };
  if (subtype === 'set_permission_mode' && typeof mode === 'string') return { permissionMode: mode };
  if (subtype !== 'set_max_thinking_tokens') return {};
  // Anything else is not a limit, and could not be passed to the next CLI.
  return { maxThinkingTokens: kinds.count.accepts(tokens) ? Number(tokens) : null };
}

/** Options with another thinking limit or, with null, without one. */
export function withThinkingCap(options: SessionOptions, cap: number | null | undefined): SessionOptions {
  if (cap === undefined) return options;
  const { thinking: _thinking, maxThinkingTokens: _cap, ...rest } = options;
  return cap === null ? rest : { ...rest, maxThinkingTokens: cap };
}

/** The thinking limit in options. */
export function thinkingCapOf({ thinking, maxThinkingTokens }: SessionOptions): number | undefined {
  if (thinking?.type === 'disabled') return 0;
  return maxThinkingTokens ?? (thinking?.type === 'enabled' ? thinking.budgetTokens : undefined);
}
