import type { Scene } from '../cli.js';
import type { AnswerStep, RefuseStep, StepOf } from './step-types.js';

/** Answers the request with success; without a value it is a plain ack. For `onRequest`. */
export function answer(value?: unknown): StepOf<'answer'> {
  return { do: 'answer', ...(value === undefined ? {} : { value }) };
}

/** Answers the request with an error. For `onRequest`. */
export function refuse(error: string, errorCode?: string): StepOf<'refuse'> {
  return { do: 'refuse', error, ...(errorCode === undefined ? {} : { errorCode }) };
}

/** Plays {@link answer}. */
export async function performAnswer(step: AnswerStep, { cli, request, where }: Scene): Promise<void> {
  if (request === undefined) cli.fail({ step: where, expected: 'a request to answer', got: 'none' });
  else request.succeed(step.value);
}

/** Plays {@link refuse}. */
export async function performRefuse(step: RefuseStep, { cli, request, where }: Scene): Promise<void> {
  if (request === undefined) cli.fail({ step: where, expected: 'a request to refuse', got: 'none' });
  else request.refuse(step.error, step.errorCode);
}
