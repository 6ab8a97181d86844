import { matches } from './matchers.js';
import type { ModelRequest } from './request.js';
import type { ScriptStep } from './script.js';

/** A step and how far it got. */
export interface StepState {
  readonly step: ScriptStep;
  /** Its position in the script, from 1. */
  readonly number: number;
  /** How many requests it has answered. */
  taken: number;
  /** A description of the last of them. */
  got: string | undefined;
}

/** The state of a script: which step a request takes, and what is left. */
export class ScriptState {
  readonly #states: readonly StepState[];
  #reached = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#states = steps.map((step, index) => ({ step, number: index + 1, taken: 0, got: undefined }));
  }

  /** The step that this request takes, if the script expects it now. */
  take(request: ModelRequest): StepState | undefined {
    const found = this.#find(request);
    if (found === undefined) return undefined;
    found.taken += 1;
    // Optional steps are over once a later one was taken.
    if (found.step.anyOrder !== true) this.#reached = found.number;
    return found;
  }

  /** Whether a step that is due has a matcher for exactly this request. */
  awaits(request: ModelRequest): boolean {
    return this.#find(request)?.step.when !== undefined;
  }

  /** The steps that are due: the next one, and optional ones before it. */
  get due(): readonly StepState[] {
    const open = this.#states.filter(
      (state) => state.step.anyOrder !== true && state.number >= this.#reached && !isSpent(state),
    );
    const firm = open.findIndex(({ step }) => step.times !== 'any');
    return firm === -1 ? open : open.slice(0, firm + 1);
  }

  /** Every step, for a report. */
  get all(): readonly StepState[] {
    return this.#states;
  }

  /** The steps that are still expected. */
  get leftover(): readonly StepState[] {
    return this.#states.filter((state) => state.step.times !== 'any' && !isSpent(state));
  }

  #find(request: ModelRequest): StepState | undefined {
    const free = this.#states.filter((state) => state.step.anyOrder === true && !isSpent(state));
    return [...free, ...this.due].find(({ step }) => step.when === undefined || matches(step.when, request));
  }
}

function isSpent({ step, taken }: StepState): boolean {
  return step.times !== 'any' && taken >= (step.times ?? 1);
}
