import type { HostMessage } from '../../../../wire/protocol/catalog/types.js';
import type { Step } from '../steps/step-types.js';
import type { Expectation, UserMatch } from './match.js';

/** Steps, or a function that creates them from the user's text. */
export type Steps = readonly Step[] | ((text: string, message: HostMessage<'user'>) => readonly Step[]);

/** How often a cue applies. Default: once; `any` includes never. */
export interface Times {
  /** How often it may happen. Default: once. */
  readonly times?: number | 'any';
}

/** Whether only the steps of a turn are played: without `system/init`, hooks, message lifecycle and result. */
export interface BareTurn {
  /** Default: no. */
  readonly bare?: boolean;
}

/** A turn: the steps for this user message. */
export interface UserCue extends Times, BareTurn {
  /** `user`. */
  readonly on: 'user';
  /** The message that it waits for. Default: any. */
  readonly match?: UserMatch;
  /** The steps to run. */
  readonly steps: Steps;
}

/** A turn that the CLI starts on its own after the previous one. */
export interface UnaskedCue extends BareTurn {
  /** `unasked`. */
  readonly on: 'unasked';
  /** The steps to run. */
  readonly steps: readonly Step[];
}

/** The steps for a control request of the host; if they contain no answer, the usual one is sent. */
export interface RequestCue extends Times {
  /** `request`. */
  readonly on: 'request';
  /** The request that it waits for. */
  readonly subtype: string;
  /** What the body must contain. */
  readonly match?: Expectation;
  /** The steps to run. */
  readonly steps: readonly Step[];
}

/** Steps that run before the first line is read. */
export interface StartCue {
  /** `start`. */
  readonly on: 'start';
  /** The steps to run. */
  readonly steps: readonly Step[];
}

/** One entry of a scenario. */
export type Cue = UserCue | UnaskedCue | RequestCue | StartCue;

/** The behaviour of the emulated CLI: turns in order; cues for requests apply at any time. */
export type Scenario = readonly Cue[];

/** A turn: waits for a user message (with this text, or matching this pattern) and plays the steps. */
export function onUser(steps: Steps): UserCue;
export function onUser(match: UserMatch | undefined, steps: Steps, options?: Times): UserCue;
export function onUser(
  ...given: [steps: Steps] | [match: UserMatch | undefined, steps: Steps, options?: Times | undefined]
): UserCue {
  if (given.length === 1) return { on: 'user', steps: given[0] };
  const [match, steps, options = {}] = given;
  return { on: 'user', ...(match === undefined ? {} : { match }), steps, ...options };
}

/** A turn that the CLI starts after the previous one, when background work finishes. Old CLIs never do this. */
export function unasked(steps: readonly Step[]): UnaskedCue {
  return { on: 'unasked', steps };
}

/** Plays steps when the host sends this request: `onRequest('initialize', [hang()])`. */
export function onRequest(
  subtype: string,
  steps: readonly Step[],
  options: Times & { readonly match?: Expectation } = {},
): RequestCue {
  return { on: 'request', subtype, steps, ...options };
}

/** Plays steps before the first line is read. */
export function onStart(steps: readonly Step[]): StartCue {
  return { on: 'start', steps };
}

/** Collects cues into a scenario; it only helps the compiler and the reader. */
export function scenario(cues: readonly Cue[]): Scenario {
  return cues;
}
