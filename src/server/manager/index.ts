export { Conversation, type ConversationSendOptions } from './conversations/conversation.js';
export type { ConversationExport } from './conversations/conversation-export.js';
export type { DeleteOptions } from './conversations/conversation-host.js';
export type { TranscriptOptions } from './conversations/conversation-transcript.js';
export type { KeptPrompt } from './conversations/kept-prompts.js';
export type { Manager, ManagerCounters } from './manager.js';
export type { ManagerEvents } from './manager-events.js';
export type {
  ConversationFacts,
  ConversationOptions,
  ConversationState,
  DeferrableCall,
  LaunchOptions,
  ManagerOptions,
  Retention,
  WarmClis,
  WhileBusy,
} from './manager-options.js';
export type { BudgetDecision, BudgetPrompt } from './money/budget-prompt.js';
export type { Breach, Budgets } from './money/spending.js';
export { openManager } from './open-manager.js';
export type { Schedule, ScheduleOptions } from './schedules/schedule.js';
export type { Workspace } from './workspaces/workspace.js';
export type { WorktreeEnd } from './workspaces/worktree.js';
