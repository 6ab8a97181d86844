import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { assistantApiError } from '../../builders/assistant.js';
import type { ErrorResultSubtype } from '../../builders/result.js';
import { fireHooks } from '../asking/emulated-hooks.js';
import type { Cli, Scene } from '../cli.js';
import type { Turn } from '../turns/emulated-turn.js';
import { SYNTHETIC_USAGE } from '../turns/result-details.js';
import { sendResult } from '../turns/result-message.js';
import { answeredUuids, closeMessage } from './speech-steps.js';
import type { ApiFailureStep, DoneStep, FailStep, StepOf } from './step-types.js';

/** Ends the turn with success; a turn whose steps end without a result gets one automatically. */
export function done(text?: string, overrides?: StepOf<'done'>['overrides']): StepOf<'done'> {
  return {
    do: 'done',
    ...(text === undefined ? {} : { text }),
    ...(overrides === undefined ? {} : { overrides }),
  };
}

/** Ends the turn with an error result: too many turns, over budget, or an error of the CLI. */
export function fail(
  subtype: ErrorResultSubtype = 'error_during_execution',
  overrides?: StepOf<'fail'>['overrides'],
): StepOf<'fail'> {
  return { do: 'fail', subtype, ...(overrides === undefined ? {} : { overrides }) };
}

/** Ends the turn as CLIs do when the API fails: a synthetic message, then `success` with `is_error`. */
export function apiFailure({
  error = 'server_error',
  status = 500,
  text = `API Error: ${status ?? 'no connection'}`,
}: Partial<Omit<StepOf<'apiFailure'>, 'do'>> = {}): StepOf<'apiFailure'> {
  return { do: 'apiFailure', error, status, text };
}

/** Plays {@link done}. */
export async function performDone(step: DoneStep, { cli, turn }: Scene): Promise<void> {
  if (step.text !== undefined) turn.lastText = step.text;
  await sendResult(cli, turn, { overrides: step.overrides ?? {} });
}

/** Plays {@link fail}. */
export async function performFail(step: FailStep, { cli, turn }: Scene): Promise<void> {
  await sendResult(cli, turn, { subtype: step.subtype, overrides: step.overrides ?? {} });
}

/** Plays {@link apiFailure}. */
export async function performApiFailure(step: ApiFailureStep, { cli, turn }: Scene): Promise<void> {
  await closeMessage(cli, turn, 'end_turn');
  const known = cli.traits.apiErrors.has(step.error) ? step.error : 'unknown';
  const message = apiErrorMessage(cli, step.text, known);
  await cli.send(cli.traits.detailed ? withDetails(message, turn, step) : message);
  turn.lastText = step.text;
  const input = { error: known, last_assistant_message: step.text };
  await fireHooks(cli, turn, { event: 'StopFailure', input });
  const details = cli.traits.detailed
    ? { ...apiErrorKeys(step), terminal_reason: 'api_error', stop_reason: 'stop_sequence' }
    : {};
  await sendResult(cli, turn, { isError: true, overrides: details });
}

/** The message instead of the model's answer; the oldest versions name no error in it. */
function apiErrorMessage({ state, traits }: Cli, text: string, kind: string): WireObject {
  const { error, ...rest } = assistantApiError(text, kind, { session_id: state.sessionId });
  return traits.namesApiErrors ? { ...rest, error } : rest;
}

/** What newer CLIs add to the message that reports the failure. */
function withDetails(message: WireObject, turn: Turn, step: ApiFailureStep): WireObject {
  const inner = isObject(message.message) ? message.message : {};
  const usage = { ...(isObject(inner.usage) ? inner.usage : {}), ...SYNTHETIC_USAGE };
  return {
    ...message,
    message: { ...inner, diagnostics: null, stop_details: null, usage },
    is_api_error_message: true,
    request_id: `req_${String(inner.id)}`,
    ...apiErrorKeys(step),
    ...answeredUuids(turn),
  };
}

function apiErrorKeys({ status, error }: ApiFailureStep): WireObject {
  return {
    api_error_status: status,
    api_error_type: status === 400 ? 'invalid_request_error' : `${error}_error`,
  };
}
