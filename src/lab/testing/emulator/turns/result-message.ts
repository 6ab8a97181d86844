import type { WireObject } from '../../../../wire/protocol/frames.js';
import { type ErrorResultSubtype, resultError, resultSuccess } from '../../builders/result.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import type { Cli } from '../cli.js';
import { closeMessage, speak } from '../steps/speech-steps.js';
import type { Turn } from './emulated-turn.js';
import { COST_PER_CALL, modelUsage, resultDetails, resultUsage, sumOf } from './result-details.js';

/** The parameters of a result. */
export interface ResultOptions {
  /** Left out for a success. */
  readonly subtype?: ErrorResultSubtype;
  /** Whether a success is actually an API failure. */
  readonly isError?: boolean;
  /** Whether to skip Stop hooks. */
  readonly skipsHooks?: boolean;
  readonly overrides?: WireObject;
}

/** How often a Stop hook may make the model continue. */
const MAX_STOP_HOOKS = 8;

/** Ends the turn with its result; a turn has exactly one. */
export async function sendResult(cli: Cli, turn: Turn, options: ResultOptions = {}): Promise<void> {
  if (turn.over || (turn.holdsResult && !turn.interrupted)) return;
  await closeMessage(cli, turn, 'end_turn');
  const isPlain = options.subtype === undefined && options.isError !== true && options.skipsHooks !== true;
  if (isPlain && !turn.interrupted) await runStopHooks(cli, turn);
  turn.over = true;
  const { state } = cli;
  const since = countCosts(cli, options);
  const message = resultMessage(cli, turn, { ...options, since });
  state.results += 1;
  turn.failed = message.is_error === true;
  state.lastResultIsError = turn.failed;
  await cli.send(message);
}

/** Counts what was used since the last result: also by agents, and for a summary. */
function countCosts({ state }: Cli, { overrides = {} }: ResultOptions) {
  const [calls, before] = [sumOf(state.calls) - state.countedCalls, state.totalCost];
  const { total_cost_usd: total = before + calls * COST_PER_CALL } = overrides;
  state.countedCalls += calls;
  state.totalCost = Number(total);
  return { calls, costUsd: Math.max(0, state.totalCost - before) };
}

async function runStopHooks(cli: Cli, turn: Turn): Promise<void> {
  for (let round = 0; round < MAX_STOP_HOOKS; round += 1) {
    const hooks = await fireHooks(cli, turn, { event: 'Stop', input: stopInput(cli, turn, round) });
    const block = hooks.find((hook) => hook.kind === 'answer' && hook.value.decision === 'block');
    if (block?.kind !== 'answer') return;
    const reason = String(block.value.reason ?? 'the hook asks for it');
    if (turn.goOn === undefined) await speak(cli, turn, { type: 'text', text: `I go on: ${reason}` });
    else await turn.goOn(reason);
    await closeMessage(cli, turn, 'end_turn');
  }
}

function stopInput({ traits, state }: Cli, { lastText }: Turn, round: number): WireObject {
  const running = [...state.tasks.values()].filter(({ status }) => status === 'running');
  const background = running.map(({ id, type, status, description }) => ({ id, type, status, description }));
  return {
    stop_hook_active: round > 0,
    ...(traits.detailed
      ? { last_assistant_message: lastText, background_tasks: background, session_crons: [] }
      : {}),
  };
}

function resultMessage(
  cli: Cli,
  turn: Turn,
  {
    subtype,
    isError = false,
    overrides,
    since,
  }: ResultOptions & { readonly since: ReturnType<typeof countCosts> },
): WireObject {
  const keys = {
    ...common(cli, turn),
    ...(cli.traits.detailed ? resultDetails(cli, turn, { subtype, isError, since }) : {}),
  };
  if (subtype === undefined) {
    const { structuredOutput: output } = turn;
    const structured = output === undefined ? {} : { structured_output: output };
    return resultSuccess(turn.lastText, { ...keys, ...structured, is_error: isError, ...overrides });
  }
  const wrong = cli.traits.errorResultsAreErrors;
  const errors = wrong ? [`The turn ended with ${subtype}.`] : [];
  return resultError(subtype, { ...keys, is_error: wrong, errors, ...overrides });
}

function common(cli: Cli, turn: Turn): WireObject {
  const { state, clock } = cli;
  return {
    duration_ms: Math.round(clock.now() - turn.startedAt),
    duration_api_ms: Math.round(clock.now() - turn.startedAt),
    num_turns: turn.modelCalls,
    total_cost_usd: state.totalCost,
    usage: resultUsage(cli.traits, turn.modelCalls),
    modelUsage: modelUsage(cli, state.calls),
    permission_denials: turn.denials,
    session_id: state.sessionId,
  };
}
