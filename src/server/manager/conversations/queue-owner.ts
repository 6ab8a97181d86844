import type { LogEvent } from '../../../entry/remote/contract.js';
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
  /** Records what is decided, before it is done. */
  append(event: LogEvent): void;
  /** Resolves when that is where the next owner reads it, with whether this one may go on; without it, it may at once. */
  readonly whenStored: (() => Promise<boolean>) | undefined;
  /** Whether what waits may continue with another manager. */
  readonly mayWait: boolean;
  asksForMoney(prompt: BudgetPrompt): void;
  /** Whether a CLI of an earlier host picked up a message. */
  tookUp(messageId: string): Promise<boolean>;
}
