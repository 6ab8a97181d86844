import type { LogEvent } from '../../../entry/remote/contract.js';
import type { AnyPrompt } from '../../../host/session/prompts/open-prompts.js';
import type { PromptState } from '../../../host/session/prompts/prompt.js';
import type { Session } from '../../../host/session/session.js';
import type { CliEnd } from '../../conversation/states.js';
import type { LaunchOptions } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';

/** What happened to a question to somebody: of a CLI, or about a budget. */
export interface AskedChange {
  readonly prompt: AnyPrompt | BudgetPrompt;
  readonly state: PromptState;
}

/** Whoever has a conversation for something of its own, such as a console for a session. */
export interface ConversationUser {
  /** The options of the next CLI, above all others; `resumes` says whether that continues a conversation of a CLI. */
  launch(resumes: boolean): LaunchOptions;
  /** A CLI was started, and has sent nothing yet. */
  attached(session: Session): void;
  /** Records what the conversation decides: its messages, before anything is done with them, and what to tell viewers. */
  append(event: LogEvent): void;
  /**
   * Resolves when that is where the next owner of the conversation reads it, with whether this one still has it. Without
   * it, nobody else can.
   */
  readonly whenStored?: (() => Promise<boolean>) | undefined;
  /** While this promise is pending, its CLI has to wait: whoever keeps its output cannot keep up. */
  readonly pace?: (() => Promise<void> | undefined) | undefined;
  /** Whether what waits is left for the next manager when this one closes. */
  readonly mayWait: boolean;
  /** The state of the conversation has changed, or whether it is busy. */
  changed(): void;
  /** Its CLI is gone, and what that had is settled or waits for the next one. */
  ended(end: CliEnd): void;
  /** Somebody is asked, or not any more. A prompt that ends with its CLI may be answered later: see {@link ended}. */
  prompted(change: AskedChange): void;
}
