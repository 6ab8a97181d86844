import { randomBytes } from 'node:crypto';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { userMessage } from '../../builders/user.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import { type Cli, type Scene, transcriptPath } from '../cli.js';
import { beginTask, finishTask } from '../steps/task-steps.js';
import { Turn } from '../turns/emulated-turn.js';
import type { ToolOutcome } from '../turns/tool-result.js';
import { endTask, newTask } from './background.js';
import type { RunLoop } from './conversation.js';

/** The name of the tool that starts agents. */
export function agentToolName({ traits }: Cli): string {
  return traits.detailed ? 'Agent' : 'Task';
}

/** Whether a tool starts agents; all versions accept both names. */
export function isAgentTool(name: string): boolean {
  return name === 'Agent' || name === 'Task';
}

/** A call of the tool that starts agents. */
export interface AgentCall {
  readonly input: WireObject;
  readonly toolUseId: string;
  readonly runLoop: RunLoop;
}

/** Lets an agent work on a prompt. Newer versions continue meanwhile, unless they are told to wait. */
export async function runAgent(scene: Scene, call: AgentCall): Promise<ToolOutcome> {
  const { cli, turn } = scene;
  const { input, toolUseId } = call;
  const type = String(input.subagent_type ?? OWN_AGENT);
  if (cli.state.agents[type] === undefined && type !== OWN_AGENT)
    return { content: `Agent type '${type}' not found`, isError: true };
  const isBackgrounded = cli.traits.detailed && input.run_in_background !== false;
  const agent = { id: randomBytes(8).toString('hex'), type, toolUseId, isHeard: isBackgrounded };
  const run = new Turn([], cli.clock.now(), { agent });
  endWith(run, isBackgrounded ? cli.exited : turn.signal);
  const task = { ...newTask(taskOf(input, run)), id: agent.id };
  if (cli.traits.tellsTasks) await beginTask(cli, task, taskDetails(input, { type, isBackgrounded }));
  await fireHooks(cli, run, { event: 'SubagentStart', input: { agent_id: agent.id, agent_type: type } });
  if (isBackgrounded) {
    void work(scene, run, call).then(
      ({ content, isError }) =>
        endTask(cli, task, { status: isError === true ? 'failed' : 'completed', summary: String(content) }),
      () => endTask(cli, task, { status: 'failed', summary: 'The agent was stopped.' }),
    );
    return said(`The agent ${agent.id} works in the background.`);
  }
  await cli.send(userMessage([{ type: 'text', text: String(input.prompt) }], parentOf(cli, toolUseId)));
  const { content, isError } = await work(scene, run, call);
  task.status = 'completed';
  if (cli.traits.tellsTasks)
    await finishTask(cli, task, { patch: 'completed', notice: 'completed', summary: String(content) });
  return { ...said(String(content)), isError };
}

/** The built-in agent. */
const OWN_AGENT = 'general-purpose';

/** Ends a turn when a signal is aborted. */
function endWith(run: Turn, over: AbortSignal): void {
  over.addEventListener('abort', () => run.interrupt(), { once: true });
  if (over.aborted) run.interrupt();
}

function said(text: string): ToolOutcome {
  return { content: [{ type: 'text', text }], isError: undefined };
}

/** Runs an agent's conversation; its last text is the result of the tool call. */
async function work(scene: Scene, run: Turn, { input, runLoop }: AgentCall): Promise<ToolOutcome> {
  const { cli, turn } = scene;
  const known = cli.state.agents[String(input.subagent_type)];
  const system = isObject(known) ? String(known.prompt ?? '') : 'You are an agent of an emulated CLI.';
  const messages = [{ role: 'user', content: input.prompt }];
  const end = await runLoop({ ...scene, turn: run }, { system, messages });
  turn.denials.push(...run.denials);
  await stopHooks(cli, run);
  if (end.kind === 'failed') return { content: `The agent failed: ${end.error.message}`, isError: true };
  return { content: run.lastText, isError: undefined };
}

function parentOf({ state }: Cli, toolUseId: string): WireObject {
  return { parent_tool_use_id: toolUseId, session_id: state.sessionId };
}

function taskOf(input: WireObject, run: Turn): Parameters<typeof newTask>[0] {
  return {
    type: 'local_agent',
    description: String(input.description ?? ''),
    toolUseId: run.agent?.toolUseId,
    output: () => run.lastText,
    stop: () => run.interrupt(),
  };
}

function taskDetails(
  { prompt }: WireObject,
  { type, isBackgrounded }: { readonly type: string; readonly isBackgrounded: boolean },
): WireObject {
  return { subagent_type: type, is_backgrounded: isBackgrounded, spawn_depth: 1, prompt };
}

async function stopHooks(cli: Cli, run: Turn): Promise<void> {
  const { id = '', type = '' } = run.agent ?? {};
  const path = transcriptPath(cli).replace(/[^/]+$/, `agent-${id}.jsonl`);
  const running = [...cli.state.tasks.values()].filter(({ status }) => status === 'running');
  const tasks = running.map(({ id: taskId, type: kind, status, description }) => ({
    id: taskId,
    type: kind,
    status,
    description,
    ...(kind === 'local_agent' ? { agent_type: type } : {}),
  }));
  const details = { last_assistant_message: run.lastText, background_tasks: tasks, session_crons: [] };
  await fireHooks(cli, run, {
    event: 'SubagentStop',
    input: {
      stop_hook_active: false,
      agent_id: id,
      agent_transcript_path: path,
      ...(cli.traits.detailed ? { agent_type: type, ...details } : {}),
    },
  });
}
