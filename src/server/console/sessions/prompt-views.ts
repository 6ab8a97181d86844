import type { BudgetView, PermissionChoiceView, PromptView } from '../../../entry/remote/contract.js';
import type { AnyPrompt } from '../../../host/session/prompts/open-prompts.js';
import { offeredChoices } from '../../../host/session/prompts/permission-choice.js';
import type { PermissionPrompt } from '../../../host/session/prompts/permission-prompt.js';
import { toolLabel } from '../../../wire/protocol/tool-label.js';
import { plainLine } from '../../../wire/util/plain.js';
import { visible } from '../../../wire/util/unusual.js';
import type { BudgetPrompt } from '../../manager/money/budget-prompt.js';
import { asksForBypass } from './session-options.js';

/** A prompt as clients see it. A choice that turns off all permission checks is shown only if that is allowed. */
export function viewPrompt(prompt: AnyPrompt, at: number, allowBypass: boolean): PromptView {
  const { toolUseId, agentId } = prompt.origin;
  const about = {
    id: prompt.id,
    at,
    toolUseId,
    agentId,
    headline: plainLine(visible(headline(prompt)), HEADLINE),
  };
  if (prompt.kind === 'elicitation') {
    const { kind, server, message, mode, url, schema, propertyOrder } = prompt;
    return { ...about, kind, server, message, mode, url, schema, propertyOrder };
  }
  if (prompt.kind === 'dialog') {
    const { kind, dialogKind, payload } = prompt;
    return { ...about, kind, dialogKind, payload };
  }
  const { tool, input, title, description } = prompt;
  const call = { ...about, tool, input, title, description };
  if (prompt.kind === 'question') return { ...call, kind: prompt.kind, questions: prompt.questions };
  if (prompt.kind === 'plan') return { ...call, kind: prompt.kind, plan: prompt.plan };
  const { kind, blockedPath, decisionReason, wasDenied } = prompt;
  const suggestions = prompt.suggestions.filter((each) => allowBypass || !asksForBypass(each));
  const choices = viewChoices(prompt, allowBypass);
  return {
    ...call,
    kind,
    choices,
    suggestions,
    blockedPath,
    decisionReason,
    ...(wasDenied ? { wasDenied } : {}),
  };
}

/** A budget prompt as clients see it. */
export function viewBudget({ id, kind, breach }: BudgetPrompt, at: number): BudgetView {
  const { scope, limitUsd, spentUsd } = breach;
  return { id, kind, at, headline: `${WHOSE[scope]} of ${limitUsd} USD is spent`, scope, limitUsd, spentUsd };
}

const WHOSE: Readonly<Record<BudgetView['scope'], string>> = {
  conversation: 'The budget of this session',
  owner: 'The budget of this key',
  day: 'The budget of this day',
  total: 'The budget of all sessions',
};

function viewChoices({ choices }: PermissionPrompt, allowBypass: boolean): readonly PermissionChoiceView[] {
  return choices.flatMap((choice, index) =>
    (allowBypass || !asksForBypass(choice.suggestion) ? offeredChoices([choice]) : []).map(
      ({ kind, scope, sentence, label, exact, warning }) => ({
        id: `${index}:${scope}`,
        kind,
        scope,
        sentence,
        label,
        exact,
        warning,
      }),
    ),
  );
}

function headline(prompt: AnyPrompt): string {
  switch (prompt.kind) {
    case 'question':
      return prompt.questions[0]?.question ?? 'A question';
    case 'plan':
      return 'A plan to approve';
    case 'elicitation':
      return `${prompt.server}: ${prompt.message}`;
    case 'dialog':
      return `Dialog: ${prompt.dialogKind}`;
    case 'permission':
      return toolLabel(prompt.tool, prompt.input);
  }
}

const HEADLINE = 160;
