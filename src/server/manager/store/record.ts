import type { ClientName } from '../../../entry/remote/contract.js';
import type { TurnUsage } from '../../../host/session/turns/usage.js';
import type { SendOptions, UserInput } from '../../../host/session/turns/user-message.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import type { Schedule } from '../schedules/schedule.js';
import type { Workspace } from '../workspaces/workspace.js';
import type { StoredOptions } from './stored-options.js';

/** The stored record of a conversation. */
export interface ConversationRecord {
  readonly name: string;
  readonly owner: string;
  readonly priority: number;
  readonly createdAt: number;
  /** When it was last sent to or answered. */
  readonly usedAt: number;
  /** The CLI's id for it; undefined until a CLI has had a turn. */
  readonly sessionId?: string | undefined;
  /**
   * The id that it was opened with: its first CLI is started with it, or resumes the existing conversation.
   */
  readonly givenId?: string | undefined;
  /** The id with which its first CLI was started; it becomes the id once there is a transcript. */
  readonly startedAs?: string | undefined;
  readonly options: StoredOptions;
  readonly workspace?: Workspace | undefined;
  /** Names of tools whose calls are deferred. */
  readonly defer?: readonly string[] | undefined;
  /** How many starts of its CLI in a row ended without a result. */
  readonly crashes: number;
  /** Why it stays in this state until someone acts. */
  readonly failure?: Failure | undefined;
  /** When its usage limit ends, in milliseconds since 1970. */
  readonly limitUntil?: number | undefined;
  /** How many turns in a row met a usage limit. */
  readonly limits?: number | undefined;
  readonly costUsd: number;
  /** Its total usage, as counted by its last session: newer CLIs continue from there when they resume. */
  readonly usage?: TurnUsage | undefined;
  /** Its budget, if it differs from the manager's. */
  readonly budgetUsd?: number | undefined;
  /** Its own limits of shared budgets, in US dollars, by what they apply to. */
  readonly raised?: Readonly<Record<string, number>> | undefined;
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
  /** Its position in the order of all messages. */
  readonly order: number;
  readonly input: UserInput;
  /**
   * `sent`: a CLI may have received it. `again`: a CLI received it but could not process it, so it is resent.
   * `deferred`: a call in its turn waits for an answer; then the turn continues on its own.
   */
  readonly state: 'held' | 'sent' | 'again' | 'deferred';
  /** The id with which it was last sent, if it was resent. */
  readonly sentAs?: string | undefined;
  /** Whether it may be resent if a CLI ended before responding to it. */
  readonly resend: boolean;
  /** It is handed over while a turn is running. */
  readonly joins?: true | undefined;
  /** What to do at a usage limit, if it differs from the manager's setting. */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Who sent it, if that was a client. */
  readonly by?: ClientName | undefined;
  /** Where the CLI should put it. */
  readonly placed?: Pick<SendOptions, 'priority' | 'parentUuid'> | undefined;
}

/** A prompt that outlived the CLI that asked. */
export interface StoredPrompt {
  readonly id: string;
  readonly body: WireObject;
  readonly answer?: WireObject | undefined;
  /** The message that tells the model about the answer. */
  readonly toldIn?: string | undefined;
  /** Its CLI deferred the call: the next one makes it on its own. */
  readonly deferred?: boolean | undefined;
}
