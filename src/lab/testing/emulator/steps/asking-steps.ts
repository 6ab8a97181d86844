import type { CliRequestBody } from '../../../../wire/protocol/catalog/types.js';
import type { RequestBody, WireObject } from '../../../../wire/protocol/frames.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import { callMcpServer } from '../asking/emulated-servers.js';
import { askedInTurn, askForm } from '../asking/forms.js';
import { callServerTool } from '../asking/server-tools.js';
import type { Scene } from '../cli.js';
import { describeExpectation, fitsAnswer } from '../scenario/match.js';
import type {
  AskHostStep,
  ElicitStep,
  Expecting,
  HookStep,
  McpMessageStep,
  McpToolStep,
  StepOf,
} from './step-types.js';
import { runTool } from './tool-steps.js';

/** Fires a hook event that no other step fires, for all registered callbacks. */
export function hook(event: string, input: WireObject = {}, expecting: Expecting = {}): StepOf<'hook'> {
  return { do: 'hook', event, input, ...expecting };
}

/** Sends a JSON-RPC message to an in-process MCP server; `expect` checks the JSON-RPC answer. */
export function mcpMessage(
  server: string,
  message: WireObject,
  expecting: Expecting = {},
): StepOf<'mcpMessage'> {
  return { do: 'mcpMessage', server, message: { jsonrpc: '2.0', ...message }, ...expecting };
}

/** The model uses a tool of an in-process MCP server; `expect` checks the tool's result. */
export function mcpTool(
  server: string,
  tool: string,
  input: WireObject = {},
  options: Expecting & { readonly ask?: boolean } = {},
): StepOf<'mcpTool'> {
  return { do: 'mcpTool', server, tool, input, ...options };
}

/** An MCP server elicits something from the user; `fields` are further fields of the request. */
export function elicit(
  server: string,
  message: string,
  { expect, ...fields }: Expecting & Partial<CliRequestBody<'elicitation'>> = {},
): StepOf<'elicit'> {
  return { do: 'elicit', server, message, fields, ...(expect === undefined ? {} : { expect }) };
}

/** Sends any control request to the host and waits for its answer. */
export function askHost(
  body: RequestBody,
  options: Expecting & { readonly deadlineMs?: number } = {},
): StepOf<'askHost'> {
  return { do: 'askHost', body, ...options };
}

/** Plays {@link hook}. */
export async function performHook(step: HookStep, scene: Scene): Promise<void> {
  const toolName = typeof step.input.tool_name === 'string' ? step.input.tool_name : undefined;
  const outputs = await fireHooks(scene.cli, scene.turn, {
    event: step.event,
    input: step.input,
    toolName,
    scripted: true,
  });
  if (outputs.length === 0) check(step, scene, `no callback is registered for ${step.event}`);
  for (const output of outputs) check(step, scene, output.kind === 'answer' ? output.value : output.kind);
}

/** Plays {@link mcpMessage}. */
export async function performMcpMessage(step: McpMessageStep, scene: Scene): Promise<void> {
  const answer = await callMcpServer(scene.cli, step.server, step.message, scene.turn.signal);
  check(step, scene, answer);
}

/** Plays {@link mcpTool}. */
export async function performMcpTool(step: McpToolStep, scene: Scene): Promise<void> {
  await runTool(scene, {
    name: `mcp__${step.server}__${step.tool}`,
    input: step.input,
    options: { ask: step.ask === true },
    run: (input, toolUseId) =>
      callServerTool(scene, { ...step, input, toolUseId, onAnswer: (answer) => check(step, scene, answer) }),
  });
}

/** Plays {@link elicit}. */
export async function performElicit(step: ElicitStep, scene: Scene): Promise<void> {
  if (!scene.cli.traits.elicits) return;
  check(step, scene, await askForm(scene, step));
}

/** Plays {@link askHost}. */
export async function performAskHost(step: AskHostStep, scene: Scene): Promise<void> {
  check(step, scene, await askedInTurn(step.body, scene, step.deadlineMs));
}

function check(step: Expecting & { readonly do: string }, { cli, where }: Scene, got: unknown): void {
  if (step.expect === undefined || fitsAnswer(step.expect, got)) return;
  cli.fail({
    step: `${where}: ${step.do}`,
    expected: describeExpectation(step.expect),
    got: JSON.stringify(got) ?? 'no value',
  });
}
