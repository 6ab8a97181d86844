import type { ConsoleState, SessionSummary } from '../../entry/remote/contract.js';

/**
 * The state of a conversation: without a CLI (`parked`), waiting for a slot (`queued`), for its CLI (`starting`), for a
 * usage limit (`limited`), for a budget decision (`paused`) or for the answer to a deferred call (`deferred`), with a
 * CLI (`running`), or in need of `retry()` (`failed`).
 */
export type ConversationState =
  | 'parked'
  | 'queued'
  | 'starting'
  | 'running'
  | 'limited'
  | 'paused'
  | 'deferred'
  | 'failed'
  | 'deleted';

/** The state of a conversation's CLI. While it is `settling`, it is gone, and what it had is not settled yet. */
export type CliState = 'none' | 'queued' | 'starting' | 'running' | 'ending' | 'settling';

/** The steps between the states of a conversation's CLI. */
export type CliStep = 'asked' | 'placed' | 'connected' | 'close-asked' | 'gone' | 'settled';

/** All state transitions of a conversation's CLI. A step that is not listed changes nothing. */
export const cliSteps: Readonly<Record<CliState, Partial<Readonly<Record<CliStep, CliState>>>>> = {
  none: { asked: 'queued', placed: 'starting' },
  queued: { placed: 'starting', settled: 'none' },
  starting: { connected: 'running', 'close-asked': 'ending', gone: 'settling', settled: 'none' },
  running: { 'close-asked': 'ending', gone: 'settling' },
  ending: { gone: 'settling' },
  settling: { settled: 'none' },
};

/** The state after a step. */
export function nextCliState(state: CliState, step: CliStep): CliState {
  return cliSteps[state][step] ?? state;
}

/** The state of a conversation with a CLI, until nothing of that is left. One that was never ready was not running. */
export function stateWith(cli: Exclude<CliState, 'none'>, before: ConversationState): ConversationState {
  if (cli !== 'ending' && cli !== 'settling') return cli;
  return before === 'starting' ? 'starting' : 'running';
}

/** How a conversation's CLI ended: parked to continue later, closed with its manager, or on its own. */
export interface CliEnd {
  readonly why: 'parked' | 'closed' | 'lost';
  /** What went wrong, if something did. */
  readonly error: Error | undefined;
}

/** What an owner knows about the CLIs of a conversation, besides its state. */
export interface Prospect {
  /** Whether a CLI was asked for that has not started. */
  readonly isComing: boolean;
  /** How many get a slot before it; undefined unless it has to wait. */
  readonly ahead: number | undefined;
  /** Whether messages wait for another CLI. */
  readonly hasMessages: boolean;
  /** Whether it is there to continue; asked only if nothing else is known. */
  readonly mayContinue: () => boolean;
}

/** The state of a conversation for its owner: `ended` if only reopening it starts a CLI again. */
export type OwnedState = ConversationState | 'ended';

/** The state of a conversation for its owner. */
export function ownedStateOf(
  state: ConversationState,
  { isComing, ahead, hasMessages, mayContinue }: Prospect,
): OwnedState {
  // Usually it gets a slot at once, and has nobody ahead of it.
  if (isComing || state === 'queued') return ahead === undefined ? 'starting' : 'queued';
  if (state !== 'parked') return state;
  if (hasMessages) return 'queued';
  return mayContinue() ? 'parked' : 'ended';
}

/** Whether there is no CLI, and none is coming. */
export function isAtRest(state: OwnedState): boolean {
  return state === 'parked' || isOver(state);
}

/** Whether not even a message starts a CLI. */
export function isOver(state: OwnedState): boolean {
  return state === 'failed' || state === 'deleted' || state === 'ended';
}

const NONE = 'not connected to a CLI';
const whyNot: Readonly<Record<OwnedState, string>> = {
  queued: 'waiting for a free slot',
  starting: 'still starting',
  running: NONE,
  limited: 'waiting for the end of a usage limit',
  paused: 'waiting for a decision about its budget',
  deferred: 'waiting for the answer to a deferred call',
  parked: 'parked: the next message starts its CLI again',
  failed: NONE,
  deleted: NONE,
  ended: NONE,
};

/** Why no CLI takes requests in a state, as the end of a sentence. */
export function whyNoCli(state: OwnedState): string {
  return whyNot[state];
}

/** What a conversation does besides its CLI's life. */
export interface Activity {
  /** Whether somebody has to answer. */
  readonly asks: boolean;
  /** Whether anything is running or waiting. */
  readonly isBusy: boolean;
}

/** What a console calls each state. With a CLI, it says what the CLI does; the others need none. */
const shownStates: Readonly<Record<Exclude<OwnedState, 'running'>, ConsoleState>> = {
  parked: 'parked',
  queued: 'waiting',
  starting: 'starting',
  limited: 'limited',
  paused: 'needs-you',
  deferred: 'deferred',
  failed: 'ended',
  deleted: 'ended',
  ended: 'ended',
};

/** What a console calls the state of a conversation, which has `ended` if only reopening it starts a CLI again. */
export function consoleStateOf(state: OwnedState, { asks, isBusy }: Activity): ConsoleState {
  if (state !== 'running') return shownStates[state];
  if (asks) return 'needs-you';
  return isBusy ? 'running' : 'idle';
}

/** The state of a conversation, by what a console shows of it. */
const namedStates: Readonly<Record<ConsoleState, ConversationState>> = {
  waiting: 'queued',
  starting: 'starting',
  idle: 'running',
  running: 'running',
  'needs-you': 'running',
  limited: 'limited',
  deferred: 'deferred',
  parked: 'parked',
  ended: 'parked',
};

/** Every state that a console shows. */
export const consoleStates: readonly string[] = Object.keys(namedStates);

/** The state of a conversation that a console shows. */
export function conversationStateOf({
  state,
  prompts,
  failed,
}: Pick<SessionSummary, 'state' | 'prompts' | 'failed'>): ConversationState {
  if (state === 'ended' && failed === true) return 'failed';
  if (state === 'needs-you' && prompts.some(({ kind }) => kind === 'budget')) return 'paused';
  // A newer version may know more states; they have a CLI.
  return namedStates[state] ?? 'running';
}

const SETTLED: ReadonlySet<ConsoleState> = new Set(['idle', 'needs-you', 'deferred', 'parked', 'ended']);

/** Whether nothing happens until someone acts. */
export function isSettled(state: ConsoleState): boolean {
  return SETTLED.has(state);
}

const WITH_CLI: ReadonlySet<ConsoleState> = new Set(['starting', 'idle', 'running', 'needs-you']);

/** Whether there is a CLI, or one is starting. Somebody may be asked about a budget without one. */
export function hasCli(state: ConsoleState): boolean {
  return WITH_CLI.has(state);
}

/** Whether there is no CLI, and none will be started until someone acts. */
export function isWithoutCli(state: ConsoleState): boolean {
  return state === 'ended' || state === 'parked';
}
