import type { PromptCallback } from '../prompts/prompt-book.js';
import type { QuestionPrompt } from '../prompts/question-prompt.js';

export type QuestionForm = QuestionPrompt;
export type OnQuestion = PromptCallback<QuestionPrompt>;
export type { Question, QuestionAnswers } from '../prompts/question-prompt.js';
