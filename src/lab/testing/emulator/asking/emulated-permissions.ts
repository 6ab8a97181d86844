import { RefusedError } from '../../../../wire/peer/refused-error.js';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { systemMessage } from '../../builders/system.js';
import { DeferredCall } from '../agent/deferred-call.js';
import type { Cli } from '../cli.js';
import type { Turn } from '../turns/emulated-turn.js';
import { tellActivity } from '../turns/session-messages.js';
import { OF_2_1_326 } from '../versions/traits.js';
import { fireHooks, type HookOutput, specificOutput } from './emulated-hooks.js';
import { applyUpdates, ruleFor } from './permission-rules.js';
import { promptBody, serverOfTool, suggestionsFor } from './prompt-body.js';

/** A tool call that wants to run. */
export interface ToolCall {
  readonly name: string;
  readonly input: WireObject;
  readonly toolUseId: string;
  /** Whether this call needs permission, before rules, modes and hooks are considered. */
  readonly ask: boolean;
  /** Why the CLI's own check denies it in the mode `auto`. */
  readonly denied?: string | undefined;
  /** Further fields of the prompt. */
  readonly prompt?: WireObject | undefined;
  /** Receives the host's answer to the prompt. */
  readonly onAnswer?: (answer: unknown) => void;
}

/** Whether a tool call runs, and with which input. */
export type Verdict =
  | { readonly run: true; readonly input: WireObject }
  | {
      readonly run: false;
      readonly message: string;
      /** Who refused it: the host (or its rules), a hook, or nobody: a hook failed. */
      readonly by: 'host' | 'hook' | 'failure';
      readonly interrupt: boolean;
    };

/** Consults hooks, rules, modes and the host, in the CLI's order. */
export async function decide(cli: Cli, turn: Turn, call: ToolCall): Promise<Verdict> {
  if (call.name === 'AskUserQuestion' && !cli.traits.asksQuestions) {
    return failed(`<tool_use_error>Error: No such tool available: ${call.name}</tool_use_error>`);
  }
  const hooks = await fireHooks(cli, turn, {
    event: 'PreToolUse',
    input: {
      tool_name: call.name,
      tool_input: call.input,
      tool_use_id: call.toolUseId,
      ...serverOfTool(cli, call.name),
    },
    toolName: call.name,
    toolUseId: call.toolUseId,
  });
  const said = readHooks(cli, turn, call, hooks);
  if ('run' in said) return said;
  const changed = { ...call, input: said.input, ask: said.ask };
  const objection = denialOf(cli, changed);
  if (objection !== undefined) return denyByCheck(cli, turn, { ...changed, denied: objection });
  if (call.name !== 'AskUserQuestion' && !said.forced && !needsPrompt(cli, changed)) {
    return ruleVerdict(cli, changed);
  }
  return cli.state.promptsHost
    ? promptHost(cli, turn, changed)
    : denied(`Permission to use ${call.name} was not granted: there is nobody to ask.`);
}

/** What hooks leave to rules, modes and the host; `forced` goes to the host whatever the rules say. */
interface HookSays {
  readonly ask: boolean;
  readonly forced: boolean;
  readonly input: WireObject;
}

function readHooks(cli: Cli, turn: Turn, call: ToolCall, outputs: readonly HookOutput[]): Verdict | HookSays {
  const values = outputs.flatMap((output) => (output.kind === 'answer' ? [output.value] : []));
  const stop = values.find((value) => value.continue === false);
  if (stop !== undefined) turn.stopped = String(stop.stopReason ?? 'stopped by a hook');
  if (outputs.some((output) => output.kind !== 'answer' && output.blocks)) {
    return failed('The PreToolUse hook failed: the tool call was not run. The hook did not answer.');
  }
  if (cli.traits.refusesOtherEvents && values.some(isForAnotherEvent)) {
    return failed('The PreToolUse hook failed: the tool call was not run. It answered for another event.');
  }
  const block = values.find(blocksCall);
  if (block !== undefined) return blocked(cli, call, blockReason(block));
  const decisions = values.map(specificOutput);
  if (cli.traits.defersCalls && decisions.some(({ permissionDecision }) => permissionDecision === 'defer'))
    throw new DeferredCall({ id: call.toolUseId, name: call.name, input: call.input });
  const allowing = decisions.find(({ permissionDecision }) => permissionDecision === 'allow');
  const updating = decisions.find(({ updatedInput }) => isObject(updatedInput));
  const mayUpdate =
    (allowing !== undefined && cli.traits.hookMayChangeInput) || cli.traits.hookMayOnlyChangeInput;
  const input = mayUpdate && isObject(updating?.updatedInput) ? updating.updatedInput : call.input;
  if (allowing !== undefined) return { run: true, input };
  const forced =
    cli.traits.hookMayForceAsking && decisions.some(({ permissionDecision }) => permissionDecision === 'ask');
  return { ask: call.ask || forced, forced, input };
}

function isForAnotherEvent(value: WireObject): boolean {
  const { hookEventName = 'PreToolUse' } = specificOutput(value);
  return hookEventName !== 'PreToolUse';
}

function failed(message: string): Verdict {
  return { run: false, message, by: 'failure', interrupt: false };
}

function blocksCall(value: WireObject): boolean {
  return value.decision === 'block' || specificOutput(value).permissionDecision === 'deny';
}

function blockReason(value: WireObject): string {
  return String(specificOutput(value).permissionDecisionReason ?? value.reason ?? 'Blocked by hook');
}

function blocked(cli: Cli, call: ToolCall, reason: string): Verdict {
  const prefix = cli.traits.detailed ? `PreToolUse:${call.name} hook error: ` : '';
  return { run: false, message: `${prefix}${reason}`, by: 'hook', interrupt: false };
}

/** Why the CLI's own check denies a call. Without a model that can judge, that of real ones denies whatever needs one. */
function denialOf({ state }: Cli, { name, input, denied, ...call }: ToolCall): string | undefined {
  if (state.permissionMode !== 'auto' || ruleFor(state, { name, input, ...call }) !== undefined)
    return undefined;
  const isRemoval = name === 'Bash' && /^rm -rf \//.test(String(input.command));
  return denied ?? (isRemoval ? 'It removes files outside the working folder.' : undefined);
}

/** The CLI refuses a call without asking, and says so as far as its version does. A hook may let the model try again. */
async function denyByCheck(
  cli: Cli,
  turn: Turn,
  { name, input, toolUseId, denied: reason }: ToolCall & { readonly denied: string },
): Promise<Verdict> {
  const message = `Permission for ${name} was denied by the emulated check: ${reason}`;
  if (cli.traits.sends('system/permission_denied'))
    await cli.send(
      systemMessage('permission_denied', {
        tool_name: name,
        tool_use_id: toolUseId,
        decision_reason_type: 'classifier',
        ...(cli.traits.hasCapability(OF_2_1_326)
          ? { decision_reason_code: 'auto_mode_no_check_in_session' }
          : {}),
        decision_reason: reason,
        message,
        session_id: cli.state.sessionId,
      }),
    );
  const outputs = await fireHooks(cli, turn, {
    event: 'PermissionDenied',
    input: { tool_name: name, tool_input: input, tool_use_id: toolUseId, reason },
    toolName: name,
    toolUseId,
  });
  const retries = outputs.some(
    (output) => output.kind === 'answer' && specificOutput(output.value).retry === true,
  );
  if (retries) turn.context.push('The denied call may be tried again.');
  return denied(message);
}

/** Tools whose calls `acceptEdits` allows. */
const EDITING = new Set(['Edit', 'Write', 'NotebookEdit', 'MultiEdit']);

function needsPrompt(cli: Cli, call: ToolCall): boolean {
  const { permissionMode } = cli.state;
  if (!call.ask || ruleFor(cli.state, call) !== undefined) return false;
  // In `auto` the CLI decides itself; the emulated one never objects.
  if (permissionMode === 'bypassPermissions' || permissionMode === 'auto') return false;
  if (permissionMode === 'dontAsk' && cli.traits.knowsDontAsk) return false;
  return !(permissionMode === 'acceptEdits' && EDITING.has(call.name));
}

function ruleVerdict(cli: Cli, call: ToolCall): Verdict {
  const rule = ruleFor(cli.state, call);
  if (rule?.behavior === 'deny') return denied(`Permission to use ${call.name} has been denied by a rule.`);
  if (rule === undefined && call.ask && cli.state.permissionMode === 'dontAsk') {
    return denied(`Permission to use ${call.name} has been denied: the mode is dontAsk.`);
  }
  return { run: true, input: call.input };
}

async function promptHost(cli: Cli, turn: Turn, call: ToolCall): Promise<Verdict> {
  const decided = await permissionHooks(cli, turn, call);
  if (decided !== undefined) return decided;
  await tellActivity(cli, 'requires_action');
  let answer: unknown;
  try {
    answer = await cli.ask(promptBody(cli, call), { signal: turn.signal });
    await tellActivity(cli, 'running');
  } catch (error) {
    turn.signal.throwIfAborted();
    return denied(`Tool permission request failed: ${failureText(cli, error)}`);
  }
  call.onAnswer?.(answer);
  return readAnswer(cli, call, answer);
}

function failureText({ traits }: Cli, error: unknown): string {
  if (error instanceof RefusedError) return `Error: ${error.reason}`;
  return `${traits.detailed ? 'AbortError' : 'Error'}: Tool permission stream closed before response received`;
}

async function permissionHooks(cli: Cli, turn: Turn, call: ToolCall): Promise<Verdict | undefined> {
  const outputs = await fireHooks(cli, turn, {
    event: 'PermissionRequest',
    input: {
      tool_name: call.name,
      tool_input: call.input,
      ...suggestionsFor(cli, call),
      ...serverOfTool(cli, call.name),
    },
    toolName: call.name,
    toolUseId: call.toolUseId,
  });
  for (const output of outputs) {
    const decision = output.kind === 'answer' ? specificOutput(output.value).decision : undefined;
    if (!isObject(decision)) continue;
    if (decision.behavior === 'allow') {
      return { run: true, input: isObject(decision.updatedInput) ? decision.updatedInput : call.input };
    }
    if (decision.behavior === 'deny') return denied(String(decision.message ?? 'Denied by a hook'));
  }
  return undefined;
}

function readAnswer(cli: Cli, call: ToolCall, answer: unknown): Verdict {
  if (!isObject(answer)) return invalid(cli, 'it is not an object');
  if (answer.behavior === 'deny') return readDenial(cli, answer);
  if (answer.behavior !== 'allow') return invalid(cli, `its behavior is ${JSON.stringify(answer.behavior)}`);
  const { updatedInput, updatedPermissions } = answer;
  if (!isObject(updatedInput) && !cli.traits.allowsWithoutInput)
    return invalid(cli, 'updatedInput is missing');
  if (updatedPermissions !== undefined && !applyUpdates(cli, updatedPermissions)) {
    return invalid(cli, 'updatedPermissions has a bad entry');
  }
  const keepsOriginal =
    !isObject(updatedInput) ||
    (cli.traits.emptyInputChangesNothing && Object.keys(updatedInput).length === 0);
  return { run: true, input: keepsOriginal ? call.input : updatedInput };
}

function readDenial(cli: Cli, { message, interrupt }: WireObject): Verdict {
  if (typeof message !== 'string') return invalid(cli, 'message is missing');
  return { run: false, message, by: 'host', interrupt: interrupt === true };
}

function invalid(cli: Cli, problem: string): Verdict {
  const text = cli.traits.allowsWithoutInput
    ? `The permission callback returned an invalid result: ${problem}.`
    : `Tool permission request failed: ${problem}`;
  return denied(text);
}

function denied(message: string): Verdict {
  return { run: false, message, by: 'host', interrupt: false };
}
