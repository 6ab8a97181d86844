import type { PromptAnswer } from '../../../entry/remote/contract.js';
import type { DialogPrompt } from '../../../host/session/prompts/dialog-prompt.js';
import type { ElicitationPrompt } from '../../../host/session/prompts/elicitation-prompt.js';
import type { AnyPrompt } from '../../../host/session/prompts/open-prompts.js';
import type { PermissionChoice } from '../../../host/session/prompts/permission-choice.js';
import type { PermissionPrompt } from '../../../host/session/prompts/permission-prompt.js';
import type { ApproveOptions, PlanPrompt } from '../../../host/session/prompts/plan-prompt.js';
import type { PromptAnswer as Given } from '../../../host/session/prompts/prompt.js';
import type { QuestionPrompt } from '../../../host/session/prompts/question-prompt.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { kinds } from '../../../wire/util/option-checks.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import { asksForBypass, bypassRefused } from './session-options.js';

/**
 * Answers a prompt; returns whether the answer counted. @throws CoxswainError `ANSWER_INVALID` for an answer that this
 * kind of prompt does not accept, `BYPASS_REFUSED` for a choice that turns off all permission checks.
 */
export function giveAnswer(prompt: AnyPrompt, answer: PromptAnswer, allowBypass: boolean): boolean {
  if (prompt.kind === 'permission' && answer.answer === 'allow' && !allowBypass)
    for (const id of answer.remember ?? []) refuseBypass(choiceOf(prompt, id));
  if (answer.answer === 'raw') return prompt.answerAs(answer.value).accepted;
  if (answer.answer === 'refuse') return prompt.refuse(String(answer.reason)).accepted;
  const given = answerByKind(prompt, answer);
  if (given !== undefined) return given.accepted;
  throw notTaken(prompt.kind, answer);
}

/**
 * Decides about a budget; returns whether the decision counted.
 * @throws CoxswainError `ANSWER_INVALID` for an answer that it does not accept.
 */
export function answerBudget(prompt: BudgetPrompt, answer: PromptAnswer): boolean {
  if (answer.answer === 'once') return prompt.continueOnce();
  if (answer.answer === 'stop') return prompt.stop();
  if (answer.answer === 'raise' && kinds.positiveNumber.accepts(answer.usd)) return prompt.raise(answer.usd);
  throw notTaken(prompt.kind, answer);
}

function notTaken(kind: string, { answer }: PromptAnswer): CoxswainError {
  return new CoxswainError(
    'ANSWER_INVALID',
    `A ${kind} prompt does not accept the answer "${String(answer)}".`,
  );
}

type OwnAnswer = Exclude<PromptAnswer, { readonly answer: 'raw' | 'refuse' }>;

function answerByKind(prompt: AnyPrompt, answer: OwnAnswer): Given | undefined {
  switch (prompt.kind) {
    case 'permission':
      return answerPermission(prompt, answer);
    case 'question':
      return answerQuestion(prompt, answer);
    case 'plan':
      return answerPlan(prompt, answer);
    case 'elicitation':
      return answerElicitation(prompt, answer);
    case 'dialog':
      return answerDialog(prompt, answer);
  }
}

function answerPermission(prompt: PermissionPrompt, answer: OwnAnswer): Given | undefined {
  if (answer.answer === 'allow') {
    const { input, permissions, remember = [] } = answer;
    return prompt.allow({ input, permissions, remember: remember.map((id) => choiceOf(prompt, id)) });
  }
  if (answer.answer === 'deny') return prompt.deny(answer.reason, { interrupt: answer.interrupt });
  return undefined;
}

function choiceOf({ choices }: PermissionPrompt, id: unknown): PermissionChoice {
  const [, number, scope] = /^(\d+):(session|folder|project|user)$/.exec(String(id)) ?? [];
  const choice = choices[Number(number)];
  if (choice !== undefined) return choice.for(scope as PermissionChoice['scope']);
  throw new CoxswainError('ANSWER_INVALID', `This prompt has no choice "${String(id)}".`);
}

/** The CLI suggests it, so the client's answer does not contain it. */
function refuseBypass({ suggestion }: PermissionChoice): void {
  if (asksForBypass(suggestion)) throw bypassRefused();
}

function answerQuestion(prompt: QuestionPrompt, answer: OwnAnswer): Given | undefined {
  if (answer.answer === 'choices') return prompt.answer(answer.choices);
  return answer.answer === 'decline' ? prompt.decline(answer.reason) : undefined;
}

function answerPlan(prompt: PlanPrompt, answer: OwnAnswer): Given | undefined {
  if (answer.answer === 'approve')
    return prompt.approve({ mode: answer.mode as ApproveOptions['mode'], input: answer.input });
  return answer.answer === 'reject' ? prompt.reject(answer.feedback) : undefined;
}

function answerElicitation(prompt: ElicitationPrompt, answer: OwnAnswer): Given | undefined {
  if (answer.answer === 'accept') return prompt.accept(answer.content);
  if (answer.answer === 'decline') return prompt.decline();
  return answer.answer === 'cancel' ? prompt.cancel() : undefined;
}

function answerDialog(prompt: DialogPrompt, answer: OwnAnswer): Given | undefined {
  if (answer.answer === 'complete') return prompt.complete(answer.result);
  return answer.answer === 'cancel' ? prompt.cancel() : undefined;
}
