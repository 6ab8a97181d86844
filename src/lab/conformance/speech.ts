import { randomUUID } from 'node:crypto';
import type { WireObject } from '../../wire/protocol/frames.js';
import { type Cue, onUser } from '../testing/emulator/scenario/scenario.js';
import { elicit, mcpTool, performElicit } from '../testing/emulator/steps/asking-steps.js';
import { act } from '../testing/emulator/steps/life-steps.js';
import { apiFailure, fail } from '../testing/emulator/steps/result-steps.js';
import { say } from '../testing/emulator/steps/speech-steps.js';
import { together } from '../testing/emulator/steps/step.js';
import type { Step } from '../testing/emulator/steps/step-types.js';
import { startTask } from '../testing/emulator/steps/task-steps.js';
import { askQuestion, runTool, useTool } from '../testing/emulator/steps/tool-steps.js';
import {
  type ErrorReply,
  isErrorReply,
  type MessageReply,
  type Reply,
  type ReplyBlock,
  type ToolUseBlock,
  toMessage,
} from '../testing/model/replies.js';
import { FORM_SCHEMA, FORM_TOOL, PLAIN_TOOL, PROCESS_SERVER } from './process-server.js';
import { part } from './reading.js';

/** A tool call of the model, with what comes of it: a real CLI finds out, the emulator has to be told. */
export interface ToolCall extends ToolUseBlock {
  /** Whether the CLI asks for permission in the default mode. */
  readonly asks?: boolean;
  /** What the tool gives back. */
  readonly gives?: string | ((input: WireObject) => string);
}

/** What the model says to one call of it. */
export type Speech = ReplyBlock | ToolCall | readonly (ReplyBlock | ToolCall)[] | MessageReply | ErrorReply;

/** A call of a built-in tool. */
export function useBuiltIn(
  name: string,
  input: WireObject,
  what: Pick<ToolCall, 'asks' | 'gives'> = {},
): ToolCall {
  return { type: 'tool_use', name, input, ...what };
}

/** Speech as a scripted model says it: what only the emulator must know is left out. */
export function toReply(speech: Speech): Reply {
  if (isErrorReply(speech)) return speech;
  const message = toMessage(speech);
  return { ...message, content: message.content.map(plainBlock) };
}

/** Limits that a command line sets, as far as the emulator has to be told what comes of them. */
export interface SpeechLimits {
  /** How often the model is called in one turn. */
  readonly calls?: number | undefined;
  /** Whether the first turn uses up the budget. */
  readonly tightBudget?: boolean;
}

/** A scenario that plays what the model says, whatever the user says. */
export function speakingScenario(
  take: () => Speech | undefined,
  { calls = Number.POSITIVE_INFINITY, tightBudget = false }: SpeechLimits = {},
): readonly Cue[] {
  let answered = false;
  let turns = 0;
  const steps = (): readonly Step[] => {
    // Messages that became one turn are taken in one go, and the model answers them once.
    if (answered) return [];
    answered = true;
    queueMicrotask(() => {
      answered = false;
    });
    turns += 1;
    return tightBudget && turns > 1 ? [fail('error_max_budget_usd')] : turnSteps(take, calls);
  };
  return [onUser(undefined, steps, { times: 'any' })];
}

/** Takes speech until the model calls no tool any more. */
function turnSteps(take: () => Speech | undefined, calls: number): readonly Step[] {
  const steps: Step[] = [];
  for (let call = 1; call <= calls; call += 1) {
    const speech = take() ?? { type: 'text', text: 'ok' };
    steps.push(...stepsOf(speech));
    if (!callsTool(speech)) return steps;
  }
  return [...steps, fail('error_max_turns')];
}

function plainBlock(block: ReplyBlock | ToolCall): ReplyBlock {
  if (block.type !== 'tool_use') return block;
  const { name, input, id } = block;
  return { type: 'tool_use', name, input, ...(id === undefined ? {} : { id }) };
}

function stepsOf(speech: Speech): readonly Step[] {
  if (isErrorReply(speech)) return [failureOf(speech)];
  const { content, delivery = {} } = toMessage(speech);
  const { chunkLength, delayMs } = delivery;
  const pace = {
    ...(chunkLength === undefined ? {} : { chunk: chunkLength }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
  const isBatch = content.length > 1 && content.every(({ type }) => type === 'tool_use');
  const steps = content.flatMap((block) => (block.type === 'tool_use' ? callOf(block) : [say(block, pace)]));
  return isBatch && steps.length === content.length ? [together(steps)] : steps;
}

function callOf({ name, input, asks = false, gives = '' }: ToolCall): readonly Step[] {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  if (name === FORM_TOOL) return [formStep];
  if (server === PROCESS_SERVER) return [plainStep];
  if (server !== undefined && tool !== undefined) return [mcpTool(server, tool, input, { ask: true })];
  if (name === 'AskUserQuestion' && Array.isArray(input.questions)) return [askQuestion(input.questions)];
  const call = useTool(name, input, { ask: asks, result: gives, toolUseId: `toolu_${randomUUID()}` });
  const { toolUseId = '' } = call;
  return input.run_in_background === true ? [call, startTask(`task-${toolUseId}`, { toolUseId })] : [call];
}

/** A tool of the server on stdio, which is gone with its server. */
const plainStep: Step = act(async ({ state, traits }, scene) => {
  const { status, config = {} } = state.servers.get(PROCESS_SERVER) ?? {};
  const { COXSWAIN_WORD: word = 'plain', COXSWAIN_WAIT_MS: isSlow } = part(config, 'env');
  const stays = traits.stopsSwitchedServers && (isSlow === undefined || traits.stopsConnectingServers);
  const isThere = status === 'connected' || (status === 'disabled' && !stays);
  const outcome = isThere
    ? { content: String(word), isError: false }
    : { content: `No such tool available: ${PLAIN_TOOL}`, isError: true };
  await runTool(scene, { name: PLAIN_TOOL, input: {}, options: { ask: isThere }, run: () => outcome });
});

/** The server on stdio asks by a form and gives back what it was answered; the emulator starts no servers. */
const formStep: Step = act(async (_cli, scene) => {
  const run = async () => {
    let got: unknown;
    const expect = (answer: unknown): boolean => {
      got = answer;
      return true;
    };
    await performElicit(elicit(PROCESS_SERVER, 'Which?', { requested_schema: FORM_SCHEMA, expect }), scene);
    return { content: `form: ${part(got).action ?? 'nothing'}`, isError: false };
  };
  await runTool(scene, { name: FORM_TOOL, input: {}, options: { ask: true }, run });
});

const API_ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication_failed',
  404: 'model_not_found',
  429: 'rate_limit',
  529: 'overloaded',
};

function failureOf({ error }: ErrorReply): Step {
  return apiFailure({ error: API_ERRORS[error] ?? 'server_error', status: error });
}

function callsTool(speech: Speech): boolean {
  return !isErrorReply(speech) && toMessage(speech).content.some(({ type }) => type === 'tool_use');
}
