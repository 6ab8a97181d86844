import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import type { PromptAnswer } from '../../host/session/prompts/prompt.js';
import type { QuestionPrompt } from '../../host/session/prompts/question-prompt.js';

/** How often what was asked was granted, refused by a person, or found nobody to ask. */
export interface Tally {
  allowed: number;
  denied: number;
  unanswered: number;
}

/** Answers what the CLI asks a person. */
export interface Answerer {
  readonly tally: Readonly<Tally>;
  /** Whether a person is looking at a question now. */
  readonly asking: boolean;
  permission(prompt: PermissionPrompt): Promise<PromptAnswer>;
  question(prompt: QuestionPrompt): Promise<PromptAnswer>;
}

/** Nothing was asked yet. */
export function newTally(): Tally {
  return { allowed: 0, denied: 0, unanswered: 0 };
}
