import type { Session } from '../../../host/session/session.js';
import type { Turn } from '../../../host/session/turns/turn.js';
import type { LoginLimits } from '../../../wire/protocol/reading/plan-limits.js';
import type { CliEnd } from '../../conversation/states.js';
import type { LaunchOptions } from '../manager-options.js';
import type { BudgetPrompt } from '../money/budget-prompt.js';

/** A message of the manager itself. */
export interface ToldAnswer {
  readonly turn: Turn;
  readonly text: string;
}

/** Whoever has a conversation for something of its own, such as a console for a session. */
export interface ConversationUser {
  /** The options of the next CLI, above all others; `resumes` says whether that continues a conversation of a CLI. */
  launch(resumes: boolean): LaunchOptions;
  /** A CLI was started, and has sent nothing yet. */
  attached(session: Session): void;
  /** The state of the conversation has changed. */
  changed(): void;
  /** Its CLI is gone, and what that had is settled or waits for the next one. */
  ended(end: CliEnd): void;
  /** A message tells the model about the answer to a prompt whose CLI has ended. */
  told(message: ToldAnswer): void;
  /** A message is waiting for a budget decision. */
  asksForMoney(prompt: BudgetPrompt): void;
  /** Its CLI reported the usage limits of its login. */
  limited(limits: LoginLimits): void;
  /** A CLI did not repeat a call that was answered after the end of the one that asked. */
  notRepeated(): void;
}
