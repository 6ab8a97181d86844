import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { SendOptions, UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Schedule } from '../schedules/schedule.js';
import type { Workspace } from '../workspaces/workspace.js';
import type { StoredOptions } from './stored-options.js';

/** What is kept of a conversation. */
export interface ConversationRecord {
  readonly name: string;
  readonly owner: string;
  readonly priority: number;
  readonly createdAt: number;
  /** When it was last sent to or answered. */
  readonly usedAt: number;
  /** The CLI's id of it; undefined until a CLI has had a turn of it. */
  readonly sessionId?: string | undefined;
  /** The id that it was opened with: its first CLI is started with it, or resumes what is there under it. */
  readonly givenId?: string | undefined;
  /** The id with which its first CLI was started; it becomes the id once there is a transcript. */
  readonly startedAs?: string | undefined;
  readonly options: StoredOptions;
  readonly workspace?: Workspace | undefined;
  /** Starts of its CLI in a row that ended without a result. */
  readonly crashes: number;
  /** Why it stays as it is until somebody acts. */
  readonly failure?: Failure | undefined;
  /** When its usage limit ends, in milliseconds since 1970. */
  readonly limitUntil?: number | undefined;
  readonly costUsd: number;
  /** What it has used in all, as its last session counted: newer CLIs go on from there when they resume. */
  readonly usage?: TurnUsage | undefined;
  /** What it may cost, if not what the manager says. */
  readonly budgetUsd?: number | undefined;
  /** What it may spend beyond the budgets that it shares with others, in US dollars. */
  readonly raisedUsd?: number | undefined;
  /** Its schedule. */
  readonly schedule?: Schedule | undefined;
  /** Prompts that were open when the CLI ended, with the answer once there is one. */
  readonly prompts?: readonly StoredPrompt[] | undefined;
}

/** Why a conversation failed. */
export interface Failure {
  readonly message: string;
  readonly stderr: string;
  readonly at: number;
}

/** A message that has not settled yet. */
export interface MessageRecord {
  readonly id: string;
  readonly conversation: string;
  /** Its place in the order of all messages. */
  readonly order: number;
  readonly input: UserInput;
  /**
   * `sent`: a CLI may have got it. `again`: one got it and could do nothing with it, so it is sent again. `deferred`: a
   * call of its turn waits for an answer; then the turn goes on by itself.
   */
  readonly state: 'held' | 'sent' | 'again' | 'deferred';
  /** The id with which it was sent last, if it was sent again. */
  readonly sentAs?: string | undefined;
  /** Whether it may be sent again if a CLI ended before anything was heard of it. */
  readonly resend: boolean;
  /** It is handed over while a turn runs. */
  readonly joins?: true | undefined;
  /** What it does at a usage limit, if not what the manager says. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Where the CLI is to put it. */
  readonly placed?: Pick<SendOptions, 'priority' | 'parentUuid'> | undefined;
}

/** A prompt that outlived the CLI which asked. */
export interface StoredPrompt {
  readonly id: string;
  readonly body: WireObject;
  readonly answer?: WireObject | undefined;
  /** The message that tells the model about the answer. */
  readonly toldIn?: string | undefined;
  /** Its CLI deferred the call: the next one makes it by itself. */
  readonly deferred?: boolean | undefined;
}
