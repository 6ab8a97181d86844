import { checkFrame, formatIssue } from '../../../../wire/protocol/catalog/check.schemas.js';
import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import type { HostRequest } from '../asking/host-request.js';
import type { BadLine } from '../versions/traits.js';
import { type Addressee, answerMistakes, requestMistakes } from '../versions/version-rules.js';
import type { ScenarioFailure } from './failures.js';

/** The dependencies of an {@link Inspector}. */
export interface InspectorOptions {
  readonly addressee: Addressee;
  /** Whether this version serves a request. */
  readonly serves: (subtype: string) => boolean;
  readonly fail: (failure: ScenarioFailure) => void;
}

interface Asked {
  readonly body: RequestBody;
  answered: boolean;
}

/** How many CLI requests to remember, to match answers. */
const REMEMBERED = 1_000;

/** Checks every line from the host against the catalog and the version; errors fail the scenario, not the wire. */
export class Inspector {
  readonly #options: InspectorOptions;
  readonly #asked = new Map<string, Asked>();

  constructor(options: InspectorOptions) {
    this.#options = options;
  }

  /** Remembers a CLI request. */
  asked(id: string, body: RequestBody): void {
    this.#asked.set(id, { body, answered: false });
    if (this.#asked.size > REMEMBERED) this.#asked.delete(this.#asked.keys().next().value ?? '');
  }

  /** A line that is not a frame. */
  badLine(kind: BadLine, line: string): void {
    const { traits } = this.#options.addressee;
    const fate = traits.endsOn(kind) ? 'ends on it' : 'ignores it';
    this.#fail('a line', `one that ${traits.version} can read`, `${kind} (it ${fate}): ${line}`);
  }

  /** A control request; it may be unknown if a cue in the scenario waits for it. */
  request(raw: WireObject, { subtype, body }: HostRequest, awaited: boolean): void {
    const { addressee, serves } = this.#options;
    const issues = checkFrame(raw, { from: 'host' }).filter(
      ({ path }) => path !== 'request.agents' || !isNoAgents(body.agents),
    );
    const unknown = issues.some(({ problem }) => problem === 'unknown');
    if (awaited && unknown) return;
    const wrong = [...issues.map(formatIssue), ...requestMistakes(body, addressee)];
    if (!awaited && !unknown && !serves(subtype)) wrong.push(`${addressee.traits.version} does not serve it`);
    if (wrong.length > 0)
      this.#fail(`the request ${subtype}`, 'a request as in the catalog', wrong.join(', '));
  }

  /** An answer to a request of the CLI. */
  answer(raw: WireObject, id: string | undefined): void {
    const asked = id === undefined ? undefined : this.#asked.get(id);
    if (asked === undefined) {
      this.#fail('an answer', 'the id of a request that was asked', String(id));
      return;
    }
    const { body } = asked;
    const step = `the answer to ${body.subtype}`;
    if (asked.answered) this.#fail(step, 'one answer', 'another one');
    asked.answered = true;
    const wrong = this.#answerIssues(raw, body);
    if (wrong.length > 0) this.#fail(step, 'an answer as in the catalog', wrong.join(', '));
  }

  /** A message of the host. */
  message(raw: WireObject): void {
    const wrong = checkFrame(raw, { from: 'host' }).map(formatIssue);
    if (wrong.length > 0)
      this.#fail(`a ${raw.type} message`, 'a message as in the catalog', wrong.join(', '));
  }

  #answerIssues(raw: WireObject, body: RequestBody): readonly string[] {
    const value = isObject(raw.response) ? raw.response.response : undefined;
    // A notification needs an answer, but any success will do.
    const isNotification =
      body.subtype === 'mcp_message' && isObject(body.message) && body.message.id === undefined;
    const issues = checkFrame(raw, { from: 'host', ...(isNotification ? {} : { answerTo: body.subtype }) });
    const known = issues.filter(
      ({ path, problem }) => !(path === 'response.response' && problem === 'unknown'),
    );
    return [...known.map(formatIssue), ...answerMistakes(body, value, this.#options.addressee)];
  }

  #fail(step: string, expected: string, got: string): void {
    this.#options.fail({ step, expected, got });
  }
}

/**
 * SDKs in other languages also write missing agents as null or as an empty list, and real CLIs accept that.
 */
function isNoAgents(agents: unknown): boolean {
  return agents === null || (Array.isArray(agents) && agents.length === 0);
}
