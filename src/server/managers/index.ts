export type { ConsoleAddress } from '../../entry/remote/console-client.js';
export type { CallPrompt } from '../../host/session/prompts/open-prompts.js';
export type { ConversationState } from '../conversation/states.js';
export type { EngineOptions } from '../fleet/engine/engine-options.js';
export type { FleetOptions } from '../fleet/program/fleet-conversations.js';
export type { Place } from '../fleet/record.js';
export type { Conversation, ConversationSendOptions } from '../manager/conversations/conversation.js';
export type { ConversationExport } from '../manager/conversations/conversation-export.js';
export type { DeleteOptions } from '../manager/conversations/conversation-host.js';
export type { TranscriptOptions } from '../manager/conversations/conversation-transcript.js';
export type { HoldAbove, LimitWindow, LoginLimits, PlanLimits } from '../manager/limits/plan-holds.js';
export type { DrainOptions, Manager, ManagerCounters } from '../manager/manager.js';
export type { ManagerEvents } from '../manager/manager-events.js';
export type {
  ConversationFacts,
  ConversationOptions,
  DeferrableCall,
  LaunchOptions,
  ManagerOptions,
  Retention,
  WarmClis,
  WhileBusy,
} from '../manager/manager-options.js';
export type { BudgetDecision, BudgetPrompt } from '../manager/money/budget-prompt.js';
export type { Breach, Budgets } from '../manager/money/spending.js';
export type { Schedule, ScheduleOptions } from '../manager/schedules/schedule.js';
export type { StoredOption } from '../manager/store/stored-options.js';
export type { Workspace } from '../manager/workspaces/workspace.js';
export type { WorktreeEnd, WorktreeEndOptions } from '../manager/workspaces/worktree-end.js';
export { openManager } from './open-manager.js';
export type {
  ConsoleConversationOptions,
  ConsoleManagerOptions,
  FleetConversationOptions,
  FleetLaunchOptions,
  FleetManagerOptions,
  ServedManagerOptions,
} from './served/served-manager-options.js';
