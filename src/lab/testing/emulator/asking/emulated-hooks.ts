import { randomUUID } from 'node:crypto';
import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import { systemMessage } from '../../builders/system.js';
import type { Cli } from '../cli.js';
import { transcriptPath } from '../cli.js';
import type { HookMatcher } from '../session-state.js';
import type { Turn } from '../turns/emulated-turn.js';

/** The data of a hook event. */
export interface HookFiring {
  readonly event: string;
  /** The fields of this event, in addition to the common ones. */
  readonly input?: WireObject;
  /** The tool that the matchers are compared with. */
  readonly toolName?: string | undefined;
  readonly toolUseId?: string | undefined;
  /** Whether a scenario requests it, on a version that may not know the event. */
  readonly scripted?: boolean;
}

interface HookBody extends RequestBody {
  readonly callback_id: string;
  readonly input: WireObject;
}

/** The answer of one hook callback. */
export type HookOutput =
  | { readonly kind: 'answer'; readonly value: WireObject }
  | { readonly kind: 'failed' | 'timed-out'; readonly blocks: boolean };

/** Fires an event: all matching callbacks are called at once. Rejects only if the turn is interrupted. */
export async function fireHooks(cli: Cli, turn: Turn, firing: HookFiring): Promise<readonly HookOutput[]> {
  const { event, toolName, scripted = false } = firing;
  const registered = scripted || cli.traits.fires(event) ? cli.state.hooks.get(event) : undefined;
  const matchers = (registered ?? []).filter((hook) => applies(hook, toolName));
  const toolUseId = firing.toolUseId ?? randomUUID();
  const calls = matchers.flatMap((hook) => hook.callbackIds.map((callbackId) => ({ hook, callbackId })));
  const outputs = await Promise.all(
    calls.map(({ hook, callbackId }) =>
      ask(cli, turn, hook, {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input: hookInput(cli, turn, firing),
        tool_use_id: toolUseId,
      }),
    ),
  );
  if (event !== 'PreToolUse' || cli.traits.hearsHooksBeforeTools) turn.context.push(...contextIn(outputs));
  return outputs;
}

/** What hooks want to tell the model. */
function contextIn(outputs: readonly HookOutput[]): readonly string[] {
  return outputs.flatMap((output) => {
    const { additionalContext } = output.kind === 'answer' ? specificOutput(output.value) : {};
    return typeof additionalContext === 'string' ? [additionalContext] : [];
  });
}

/** What a hook said about its tool call, in the block for its event. */
export function specificOutput(value: WireObject): WireObject {
  return isObject(value.hookSpecificOutput) ? value.hookSpecificOutput : {};
}

/** Whether a matcher fits a tool: exact name, alternatives, a regular expression, or everything. */
function applies({ matcher }: HookMatcher, toolName: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || toolName === undefined) return true;
  if (/^[A-Za-z0-9_|]+$/.test(matcher)) return matcher.split('|').includes(toolName);
  try {
    return new RegExp(matcher).test(toolName);
  } catch {
    return false;
  }
}

const WITHOUT_MODE: ReadonlySet<string> = new Set([
  'SubagentStart',
  'StopFailure',
  'PreCompact',
  'PostCompact',
  'SessionStart',
  'SessionEnd',
]);
const WITHOUT_EFFORT: ReadonlySet<string> = new Set([
  'UserPromptSubmit',
  'SubagentStart',
  'PreCompact',
  'PostCompact',
  'SessionStart',
  'SessionEnd',
]);

function hookInput(cli: Cli, turn: Turn, { event, input = {} }: HookFiring): WireObject {
  const { sessionId, cwd, permissionMode } = cli.state;
  return {
    session_id: sessionId,
    transcript_path: transcriptPath(cli),
    cwd,
    ...(cli.traits.detailed ? { prompt_id: turn.promptId } : {}),
    ...(WITHOUT_MODE.has(event) ? {} : { permission_mode: permissionMode }),
    ...(cli.traits.detailed && !WITHOUT_EFFORT.has(event) ? { effort: { level: 'medium' } } : {}),
    hook_event_name: event,
    ...(cli.traits.detailed ? agentOf(event, turn) : {}),
    ...input,
  };
}

/** The agent that a hook is about; if the agent is starting or ending, the event itself says so. */
function agentOf(event: string, { agent }: Turn): WireObject {
  return agent === undefined || event.startsWith('Subagent')
    ? {}
    : { agent_id: agent.id, agent_type: agent.type };
}

async function ask(
  cli: Cli,
  turn: Turn,
  { timeoutMs, blocksOnFailure: asksToBlock }: HookMatcher,
  body: HookBody,
): Promise<HookOutput> {
  // Old versions do not know this output and ignore a failed callback.
  const blocksOnFailure = asksToBlock && cli.traits.blocksWhereAskedTo;
  try {
    const value = await cli.ask(body, {
      signal: turn.signal,
      deadlineMs: cli.traits.hooksTimeOut ? timeoutMs : undefined,
    });
    if (isObject(value) && isReadable(cli, value)) return { kind: 'answer', value };
    await tellFailure(cli, body, 'the answer is no hook output');
    return { kind: 'failed', blocks: blocksOnFailure };
  } catch (error) {
    turn.signal.throwIfAborted();
    const late = error instanceof CoxswainError && error.code === 'REQUEST_TIMEOUT';
    if (!late) await tellFailure(cli, body, errorText(error));
    const blocks = blocksOnFailure || (late && cli.traits.lateHooksBlock);
    return { kind: late ? 'timed-out' : 'failed', blocks };
  }
}

/** Events for which old versions accept a specific output; for any other event it is invalid. */
const KNOWN_TO_OLD = new Set([
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'PermissionRequest',
]);

function isReadable({ traits }: Cli, value: WireObject): boolean {
  const { hookEventName } = specificOutput(value);
  return traits.detailed || hookEventName === undefined || KNOWN_TO_OLD.has(String(hookEventName));
}

/** Old versions print a stack; newer ones also send a note. */
async function tellFailure(cli: Cli, { callback_id: id, input }: HookBody, why: string): Promise<void> {
  cli.stderr(`Error in hook callback ${id}: ${why}\n`);
  if (!cli.traits.sends('system/informational')) return;
  await cli.send(
    systemMessage('informational', {
      content: `${input.hook_event_name}: Hook callback ${id} failed: ${why}`,
      level: 'warning',
      tag: 'hook_callback_failed',
      session_id: cli.state.sessionId,
    }),
  );
}
