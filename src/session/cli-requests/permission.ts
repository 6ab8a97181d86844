import type { PermissionPrompt } from '../prompts/permission-prompt.js';
import type { PromptAnswer } from '../prompts/prompt.js';
import type { PromptCallback } from '../prompts/prompt-book.js';

export type PermissionRequest = PermissionPrompt;
export type PermissionAnswer = PromptAnswer;
export type OnPermission = PromptCallback<PermissionPrompt>;
export type { AllowOptions } from '../prompts/tool-prompt.js';
