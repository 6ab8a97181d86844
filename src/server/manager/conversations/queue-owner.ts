import type { BudgetPrompt } from '../money/budget-prompt.js';
import type { ConversationRecord } from '../store/record.js';
import type { KeptPrompts } from './kept-prompts.js';

/** What the message queue needs from its conversation. */
export interface QueueOwner {
  readonly name: string;
  readonly record: ConversationRecord;
  readonly login: string;
  update(change: Partial<ConversationRecord>): void;
  changed(): void;
  becameIdle(): void;
  turnEnded(messageId: string): void;
  countUsage(): void;
  readonly kept: KeptPrompts;
  /** Whether it defers calls. */
  readonly defers: boolean;
  emit(event: string, value: object): void;
  asksForMoney(prompt: BudgetPrompt): void;
  /** Whether a CLI of an earlier host picked up a message. */
  tookUp(messageId: string): Promise<boolean>;
}
