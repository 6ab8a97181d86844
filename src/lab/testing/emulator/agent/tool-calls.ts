import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { callServerTool } from '../asking/server-tools.js';
import type { Cli, Scene } from '../cli.js';
import { answersOf, runTool } from '../steps/tool-steps.js';
import { sendOutcome, type ToolOutcome } from '../turns/tool-result.js';
import { startInBackground } from './background.js';
import type { RunLoop } from './conversation.js';
import { isFileTool, runFileTool } from './file-tools.js';
import { commandOutcome, onlyLooks, runCommand } from './shell.js';
import { STRUCTURED_OUTPUT, takeOutput } from './structured-output.js';
import { isAgentTool, runAgent } from './sub-agents.js';

/** Read-only tools. */
const LOOKING: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);

/** How long a command may take. */
const COMMAND_MS = 120_000;

/** Whether a call may run concurrently: it is read-only, or starts an agent. */
export function isSafe(cli: Cli, call: WireObject): boolean {
  const { name, input } = readCall(call);
  if (name === 'Bash') return onlyLooks(String(input.command));
  const { annotations } = serverTool(cli, name) ?? {};
  return (
    LOOKING.has(name) || isAgentTool(name) || (isObject(annotations) && annotations.readOnlyHint === true)
  );
}

/** Runs a tool call of the model, with everything before and after; returns its result for the model. */
export async function runCall(scene: Scene, call: WireObject, runLoop: RunLoop): Promise<WireObject> {
  const { name, input, id: toolUseId } = readCall(call);
  const run = runnerOf(scene, name, runLoop);
  const options = { ask: needsPermission(name, input), toolUseId };
  const outcome =
    run === undefined
      ? await refuseUnknown(scene, name, toolUseId)
      : await runTool(scene, { name, input, options, run, isSaid: true });
  const { content, isError } = outcome;
  return { content, ...(isError === undefined ? {} : { is_error: isError }) };
}

type Run = (input: WireObject, toolUseId: string) => ToolOutcome | Promise<ToolOutcome>;

/** A tool's action once it is allowed; undefined for an unknown tool. */
function runnerOf(scene: Scene, name: string, runLoop: RunLoop): Run | undefined {
  const { cli, turn } = scene;
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (server !== undefined && tool !== undefined) {
    const isThere = serverTool(cli, name) !== undefined;
    return isThere ? (input, id) => callServerTool(scene, { server, tool, input, toolUseId: id }) : undefined;
  }
  if (isFileTool(name)) return (input) => runFileTool(cli, name, input);
  if (name === 'Bash') return (input, id) => runBash(scene, input, id);
  if (name === 'AskUserQuestion') return (input) => answersOf(cli, input);
  if (isAgentTool(name) && turn.agent === undefined)
    return (input, id) => runAgent(scene, { input, toolUseId: id, runLoop });
  if (name === STRUCTURED_OUTPUT && cli.state.jsonSchema !== undefined)
    return (input) => takeOutput(scene, input);
  return undefined;
}

async function runBash(scene: Scene, input: WireObject, toolUseId: string): Promise<ToolOutcome> {
  if (input.run_in_background === true) return startInBackground(scene.cli, input, toolUseId);
  const { cli, turn } = scene;
  const timeoutMs = typeof input.timeout === 'number' ? input.timeout : COMMAND_MS;
  const command = runCommand(String(input.command), { cwd: cli.state.cwd, signal: turn.signal, timeoutMs });
  const outcome = commandOutcome(await command.end);
  const data = { stdout: outcome.content, stderr: '', interrupted: false, isImage: false };
  return { ...outcome, structured: cli.traits.detailed ? { ...data, noOutputExpected: false } : data };
}

async function refuseUnknown(
  { cli, turn, batch }: Scene,
  name: string,
  toolUseId: string,
): Promise<ToolOutcome> {
  const content = `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`;
  const outcome = { content, isError: true };
  await sendOutcome(cli, { turn, toolUseId }, outcome);
  batch?.finish({ tool_name: name, tool_use_id: toolUseId, tool_response: content });
  return outcome;
}

/** Whether a call needs permission in the default mode. */
function needsPermission(name: string, input: WireObject): boolean {
  if (name === 'Bash') return !onlyLooks(String(input.command));
  return !LOOKING.has(name) && !isAgentTool(name) && name !== STRUCTURED_OUTPUT;
}

function serverTool({ state, traits }: Cli, name: string): WireObject | undefined {
  const [, server = '', tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  const found = state.servers.get(server);
  const isOn =
    found?.status === 'connected' || (found?.status === 'disabled' && !traits.stopsSwitchedServers);
  return isOn ? found.tools.find((each) => each.name === tool) : undefined;
}

interface ReadCall {
  readonly id: string;
  readonly name: string;
  readonly input: WireObject;
}

function readCall({ id, name, input }: WireObject): ReadCall {
  return { id: String(id), name: String(name), input: isObject(input) ? input : {} };
}
