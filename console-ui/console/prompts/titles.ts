import type { PromptView } from '../../../src/entry/remote/contract.js';
import { visible } from '../../../src/wire/util/unusual.js';

/** What a prompt asks, as a heading. */
export function promptTitle(prompt: PromptView): string {
  switch (prompt.kind) {
    case 'permission':
      if (prompt.wasDenied === true) return `The CLI denied ${visible(prompt.tool)} itself`;
      return visible(prompt.title ?? `May ${prompt.tool} run?`);
    case 'question':
      return prompt.questions.length === 1 ? 'A question for you' : 'Questions for you';
    case 'plan':
      return 'Approve this plan?';
    case 'elicitation':
      return `${prompt.server} asks`;
    case 'dialog':
      return `Dialog: ${prompt.dialogKind}`;
    case 'budget':
      return 'The budget is spent';
  }
}

/** What a session needs, in a few words, for lists and notifications. */
export function promptNeed({ kind, headline }: PromptView): string {
  return `${NEEDS[kind]}: ${headline}`;
}

const NEEDS: Readonly<Record<PromptView['kind'], string>> = {
  permission: 'Permission',
  question: 'Question',
  plan: 'Plan',
  elicitation: 'Form',
  dialog: 'Dialog',
  budget: 'Budget',
};
