import { randomUUID } from 'node:crypto';
import { isObject, type WireObject } from '../../protocol/frames.js';
import { CoxswainError } from '../../util/errors.js';
import type { Cli } from './cli.js';
import { transcriptPath } from './dress.js';
import type { HookMatcher } from './session-state.js';
import type { Turn } from './turn.js';

/** What is known about a hook event when it fires. */
export interface HookFiring {
  readonly event: string;
  /** The fields of this event, beside those that every event has. */
  readonly input?: WireObject;
  /** The tool that the matchers are compared with. */
  readonly toolName?: string | undefined;
  readonly toolUseId?: string | undefined;
}

/** What one hook callback answered. */
export type HookOutput =
  | { readonly kind: 'answer'; readonly value: WireObject }
  | { readonly kind: 'failed' | 'timed-out'; readonly blocks: boolean };

/** Fires an event: all callbacks that match are asked at once. Rejects only when the turn is interrupted. */
export async function fireHooks(cli: Cli, turn: Turn, firing: HookFiring): Promise<readonly HookOutput[]> {
  const matchers = (cli.state.hooks.get(firing.event) ?? []).filter((hook) => applies(hook, firing.toolName));
  const toolUseId = firing.toolUseId ?? randomUUID();
  const calls = matchers.flatMap((hook) => hook.callbackIds.map((callbackId) => ({ hook, callbackId })));
  return Promise.all(
    calls.map(({ hook, callbackId }) =>
      ask(cli, turn, hook, {
        subtype: 'hook_callback',
        callback_id: callbackId,
        input: hookInput(cli, turn, firing),
        tool_use_id: toolUseId,
      }),
    ),
  );
}

/** What a hook said about the tool call it was asked about, in the block that is made for its event. */
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

function hookInput(cli: Cli, turn: Turn, { event, input = {} }: HookFiring): WireObject {
  const { sessionId, cwd, permissionMode } = cli.state;
  return {
    session_id: sessionId,
    transcript_path: transcriptPath(cli),
    cwd,
    ...(cli.traits.detailed ? { prompt_id: turn.promptId } : {}),
    permission_mode: permissionMode,
    ...(cli.traits.detailed && event !== 'UserPromptSubmit' ? { effort: { level: 'medium' } } : {}),
    hook_event_name: event,
    ...input,
  };
}

async function ask(
  cli: Cli,
  turn: Turn,
  { timeoutMs, blocksOnFailure }: HookMatcher,
  body: WireObject & { readonly subtype: string },
): Promise<HookOutput> {
  try {
    const value = await cli.ask(body, { signal: turn.signal, deadlineMs: timeoutMs });
    return { kind: 'answer', value: isObject(value) ? value : {} };
  } catch (error) {
    turn.signal.throwIfAborted();
    const late = error instanceof CoxswainError && error.code === 'REQUEST_TIMEOUT';
    const blocks = blocksOnFailure || (late && cli.traits.hookTimeout === 'blocks');
    return { kind: late ? 'timed-out' : 'failed', blocks };
  }
}
