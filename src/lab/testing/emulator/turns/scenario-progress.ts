import type { HostRequest } from '../asking/host-request.js';
import type { ScenarioFailure } from '../scenario/failures.js';
import { describeExpectation, describeMatch, fitsAnswer, fitsUser } from '../scenario/match.js';
import type { RequestCue, Scenario, UnaskedCue, UserCue } from '../scenario/scenario.js';
import type { Step } from '../steps/step-types.js';
import type { QueuedMessage } from './emulated-turn.js';

/** Steps that were taken, with their position in words. */
export interface Taken {
  readonly steps: readonly Step[];
  readonly where: string;
}

interface ScriptedCue<C> {
  readonly cue: C;
  readonly where: string;
  taken: number;
}

/** The state of a scenario: what comes next, what went wrong, what is left. */
export class Script {
  readonly start: readonly Step[];
  /** Whether turns consist of their steps only. */
  readonly bare: boolean;
  readonly #turns: readonly ScriptedCue<UserCue | UnaskedCue>[];
  readonly #requests: readonly ScriptedCue<RequestCue>[];
  readonly #failures: ScenarioFailure[] = [];
  #position = 0;

  constructor(scenario: Scenario) {
    const places = scenario.map((cue, index) => ({ cue, where: `cue ${index + 1}`, taken: 0 }));
    this.start = scenario.flatMap((cue) => (cue.on === 'start' ? cue.steps : []));
    this.bare = scenario.some((cue) => (cue.on === 'user' || cue.on === 'unasked') && cue.bare === true);
    this.#turns = places.flatMap(({ cue, where }) =>
      cue.on === 'user' || cue.on === 'unasked' ? [{ cue, where, taken: 0 }] : [],
    );
    this.#requests = places.flatMap(({ cue, where }) =>
      cue.on === 'request' ? [{ cue, where, taken: 0 }] : [],
    );
  }

  /** Records a failure; the scenario continues. */
  fail(failure: ScenarioFailure): void {
    this.#failures.push(failure);
  }

  /** The steps for a user message; an unexpected one is a failure and gets none. */
  takeUser({ text, raw }: QueuedMessage): Taken | undefined {
    const place = this.#due.find(({ cue }) => cue.on === 'user' && fitsUser(cue.match, text, raw));
    if (place === undefined || place.cue.on !== 'user') {
      this.fail({
        step: this.#due.at(-1)?.where ?? 'the end',
        expected: this.#expected,
        got: `user: ${text}`,
      });
      return undefined;
    }
    this.#advance(place);
    const { steps } = place.cue;
    return { steps: typeof steps === 'function' ? steps(text, raw) : steps, where: place.where };
  }

  /** The steps of an unrequested turn, if it is due now. */
  takeUnasked(): Taken | undefined {
    const place = this.#due[0];
    if (place?.cue.on !== 'unasked') return undefined;
    this.#advance(place);
    return { steps: place.cue.steps, where: place.where };
  }

  /** The steps for a control request, if the scenario has any. */
  takeRequest({ subtype, body }: HostRequest): Taken | undefined {
    const place = this.#requests.find(
      (candidate) =>
        candidate.cue.subtype === subtype &&
        !isSpent(candidate) &&
        (candidate.cue.match === undefined || fitsAnswer(candidate.cue.match, body)),
    );
    if (place === undefined) return undefined;
    place.taken += 1;
    return { steps: place.cue.steps, where: place.where };
  }

  /** All failures so far. */
  get failures(): readonly ScenarioFailure[] {
    return this.#failures;
  }

  /** What is still expected. */
  get leftovers(): readonly ScenarioFailure[] {
    return [...this.#turns, ...this.#requests].filter(isLeft).map((place) => ({
      step: place.where,
      expected: describeCue(place.cue),
      got: 'nothing: it never came',
    }));
  }

  /** The next turn, after optional ones before it. */
  get #due(): readonly ScriptedCue<UserCue | UnaskedCue>[] {
    const open = this.#turns.slice(this.#position);
    const firm = open.findIndex(({ cue }) => cue.on === 'unasked' || cue.times !== 'any');
    return firm === -1 ? open : open.slice(0, firm + 1);
  }

  /** Takes a turn; skips optional ones before it. */
  #advance(place: ScriptedCue<UserCue | UnaskedCue>): void {
    place.taken += 1;
    this.#position = this.#turns.indexOf(place) + (isSpent(place) ? 1 : 0);
  }

  get #expected(): string {
    const due = this.#due.map(({ cue }) => describeCue(cue));
    return due.length === 0 ? 'no further user message' : due.join(' or ');
  }
}

function isSpent({ cue, taken }: ScriptedCue<UserCue | UnaskedCue | RequestCue>): boolean {
  const times = cue.on === 'unasked' ? 1 : (cue.times ?? 1);
  return times !== 'any' && taken >= times;
}

function isLeft(place: ScriptedCue<UserCue | UnaskedCue | RequestCue>): boolean {
  return (place.cue.on === 'unasked' || place.cue.times !== 'any') && !isSpent(place);
}

function describeCue(cue: UserCue | UnaskedCue | RequestCue): string {
  if (cue.on === 'unasked') return 'a turn nobody asked for';
  if (cue.on === 'user') return describeMatch(cue.match);
  return cue.match === undefined
    ? `the request ${cue.subtype}`
    : `the request ${cue.subtype} with ${describeExpectation(cue.match)}`;
}
