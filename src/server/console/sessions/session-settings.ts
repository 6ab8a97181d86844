import type { OpenParams } from '../../../entry/remote/contract.js';
import type { Session } from '../../../host/session/session.js';
import type { SessionOptions } from '../../../host/session/session-options.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { errorCode, errorText } from '../../../wire/util/error-text.js';
import { kinds } from '../../../wire/util/option-checks.js';

/** What was set in a session while it runs. Older CLIs tell none of it, and none tells its cap on thinking. */
export interface Setting {
  readonly model?: string;
  readonly permissionMode?: string;
  /** Null where there is no cap any more. */
  readonly maxThinkingTokens?: number | null;
  /** The MCP servers that are switched off, by the session and not by the CLI's own settings. */
  readonly disabledServers?: readonly string[];
}

/** What it sets that a server was switched off or on. */
export function switchSetting({ disabledServers = [] }: OpenParams, server: string, isOff: boolean): Setting {
  const others = disabledServers.filter((name) => name !== server);
  return { disabledServers: isOff ? [...others, server] : others };
}

/** Switches servers off that were off before, and says what went wrong. One that is not there any more is passed over. */
async function switchOff({ mcp }: Session, servers: readonly string[] = []): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const server of servers) {
    const { error } = await mcp.disable(server).catch((reason: unknown) => ({
      error: errorCode(reason) === 'MCP_SERVER_UNKNOWN' ? null : errorText(reason),
    }));
    if (error !== null) problems.push(`MCP server "${server}" was off before, but is on now: ${error}`);
  }
  return problems;
}

/** Switches servers off as soon as a CLI is ready. Whoever starts it is told why it is not. */
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

/** What a control request that was answered has set. */
export function settingOf(subtype: string, params: WireObject): Setting {
  const { model, mode, max_thinking_tokens: tokens } = params;
  if (subtype === 'set_model' && typeof model === 'string') return { model };
  if (subtype === 'set_permission_mode' && typeof mode === 'string') return { permissionMode: mode };
  if (subtype !== 'set_max_thinking_tokens') return {};
  // Anything else is no cap, and could not be given to the next CLI.
  return { maxThinkingTokens: kinds.count.accepts(tokens) ? Number(tokens) : null };
}

/** Options with another cap on thinking, or, with null, with none. */
export function withThinkingCap(options: SessionOptions, cap: number | null | undefined): SessionOptions {
  if (cap === undefined) return options;
  const { thinking: _thinking, maxThinkingTokens: _cap, ...rest } = options;
  return cap === null ? rest : { ...rest, maxThinkingTokens: cap };
}

/** The cap on thinking that options say. */
export function thinkingCapOf({ thinking, maxThinkingTokens }: SessionOptions): number | undefined {
  if (thinking?.type === 'disabled') return 0;
  return maxThinkingTokens ?? (thinking?.type === 'enabled' ? thinking.budgetTokens : undefined);
}
