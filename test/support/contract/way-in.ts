import { expect, test } from 'vitest';
import type { PromptAnswer } from '../../../src/entry/remote/contract.js';
import type { AskedLaunch } from '../../../src/host/cli/options/asked-launch.js';
import type { Scenario } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import type { ConversationState } from '../../../src/server/conversation/states.js';
import type { WhileBusy } from '../../../src/server/manager/manager-options.js';
import type { ScheduleOptions } from '../../../src/server/manager/schedules/schedule.js';

/** Options that every way in has for all its conversations. */
export interface SharedOptions {
  readonly onLimit?: 'wait' | 'fail';
  readonly maxRunning?: number;
}

/** Options of one conversation. */
export interface OpenOptions {
  readonly cwd?: string;
  readonly model?: string;
  readonly budgetUsd?: number;
  readonly workspace?: 'worktree';
}

/** Options of one message; by default it waits while a turn runs. */
export interface MessageOptions {
  readonly id?: string;
  readonly whileBusy?: WhileBusy;
  readonly resend?: boolean;
  readonly onLimit?: 'wait' | 'fail';
}

/** What a conversation says about itself. */
export interface Seen {
  readonly state: ConversationState;
  readonly prompts: readonly { readonly id: string; readonly kind: string; readonly headline?: string }[];
  /** The number of messages without an outcome. */
  readonly unsettled: number;
  readonly costUsd: number;
  readonly budgetUsd: number | undefined;
  readonly limitUntil: Date | undefined;
  readonly failure: string | undefined;
}

/** What became of a message. */
export interface Fate {
  readonly kind: string;
  /** The text of its result, if it has one. */
  readonly text?: string | undefined;
}

/** A conversation, known only by what it can do. */
export interface TestedConversation {
  readonly look: () => Promise<Seen>;
  /** Resolves to the id of the message when it is accepted. */
  readonly send: (text: string, options?: MessageOptions) => Promise<string>;
  /** Resolves when the message has an outcome. */
  readonly fate: (id: string) => Promise<Fate>;
  readonly cancel: (id: string) => Promise<boolean>;
  readonly interrupt: () => Promise<boolean>;
  /** Resolves to whether the answer counts. */
  readonly answer: (prompt: string, answer: PromptAnswer) => Promise<boolean>;
  readonly park: () => Promise<void>;
  readonly retry: () => Promise<void>;
  readonly control: (subtype: string) => Promise<unknown>;
  readonly setModel: (model: string) => Promise<void>;
  readonly setPermissionMode: (mode: 'plan' | 'acceptEdits') => Promise<void>;
  readonly setBudget: (usd: number) => Promise<void>;
  readonly schedule: (options: ScheduleOptions) => Promise<void>;
  readonly unschedule: () => Promise<void>;
  readonly endWorkspace: (how: 'merge' | 'remove') => Promise<void>;
  readonly delete: () => Promise<void>;
  /** Everything that is known about it, as plain data. */
  readonly export: () => Promise<object>;
}

/** All conversations behind one way in. */
export interface TestedConversations {
  /** Opens a conversation, or finds the one with this name. */
  readonly open: (name: string, options?: OpenOptions) => Promise<TestedConversation>;
  /** The names of all conversations. */
  readonly list: () => Promise<readonly string[]>;
  /** A folder that conversations may work in. */
  readonly folder: string;
  /** How each CLI was started, before restarts too. */
  readonly launches: readonly AskedLaunch[];
  /** The same conversations after a restart: of a program that closed in good order, or that was killed. */
  readonly restart: (how: 'closed' | 'killed') => Promise<TestedConversations>;
}

/** One way to reach conversations whose CLIs are emulated. */
export interface WayIn {
  /** CLIs get the scenarios in turn; the last one is for all further ones. */
  readonly start: (scenarios: readonly Scenario[], options?: SharedOptions) => Promise<TestedConversations>;
  /** Promises that are not kept yet, by their sentence. */
  readonly broken?: Readonly<Record<string, Broken>>;
  /** Promises that cannot be tested this way, by their sentence: where they are, or why nowhere. */
  readonly untested?: Readonly<Record<string, string>>;
}

/** A promise that a way in does not keep yet. */
export interface Broken {
  readonly because: string;
  /** What the failure says, so that no other fault hides behind it. */
  readonly fails: RegExp;
}

/** Declares the test of a promise. One that is listed as broken must fail as it says. */
export type Promised = (sentence: string, keeps: (way: WayIn) => Promise<void>) => void;

/** Declares the promises of a way in, and checks that each listed exception is among them. */
export function promisesOf(way: WayIn, declare: (promised: Promised) => void): void {
  const { broken = {}, untested = {} } = way;
  const declared = new Set<string>();
  declare((sentence, keeps) => {
    declared.add(sentence);
    if (Object.hasOwn(untested, sentence)) return;
    const exception = broken[sentence];
    if (exception === undefined) {
      test(sentence, () => keeps(way));
      return;
    }
    test(`${sentence} (not yet: ${exception.because})`, () =>
      expect(keeps(way)).rejects.toThrow(exception.fails));
  });
  test('every exception is one of a promise', () => {
    const exceptions = [...Object.keys(broken), ...Object.keys(untested)];
    expect(exceptions.filter((sentence) => !declared.has(sentence))).toEqual([]);
  });
}

/** Waits until a conversation says this about itself. */
export async function shows(talk: TestedConversation, wanted: Partial<Seen>): Promise<Seen> {
  await expect.poll(talk.look, { interval: 20 }).toMatchObject(wanted);
  return talk.look();
}

/** A request that the test awaits later, or never if it fails before. */
export function outstanding<Value>(request: Promise<Value>): Promise<Value> {
  request.catch(() => {});
  return request;
}

/** What a way in says about a request that it has no word for. */
export function notOffered(what: string): Promise<never> {
  return Promise.reject(new Error(`${what} is not offered here`));
}
