import type { CliFrame, HostFrame } from '../../../../wire/protocol/catalog/frame-types.js';
import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import { answer, refuse } from '../steps/answer-steps.js';
import { askHost } from '../steps/asking-steps.js';
import { send } from '../steps/speech-steps.js';
import type { Step } from '../steps/step-types.js';
import { plainText } from './match.js';
import { type Cue, onRequest, onStart, type Scenario, unasked } from './scenario.js';

/** One line of a recording: its sender and its frame, typed by the catalog. */
export type RecordedLine =
  | { readonly from: 'host'; readonly frame: HostFrame }
  | { readonly from: 'cli'; readonly frame: CliFrame };

/**
 * Creates a scenario that replays a recorded session: the same messages for the same user input, the same answers to
 * the same requests. Session ids and user uuids become those of the new session.
 */
export function scenarioFromRecording(recording: string | readonly RecordedLine[]): Scenario {
  const lines = typeof recording === 'string' ? readRecording(recording) : recording;
  const maker = new ScenarioMaker(lines);
  for (const line of lines) maker.take(line);
  return maker.scenario;
}

/** Reads the lines of a recording in NDJSON; other entries are left out. */
export function readRecording(text: string): readonly RecordedLine[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line, index) => readEntry(line, index + 1));
}

function readEntry(text: string, number: number): readonly RecordedLine[] {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch (error) {
    throw new CoxswainError('OPTION_INVALID', `Line ${number} of the recording is not JSON.`, {
      cause: error,
    });
  }
  if (!isObject(entry) || entry.kind !== 'line' || !isObject(entry.frame)) return [];
  const { from, frame } = entry;
  return from === 'host' || from === 'cli' ? [{ from, frame } as RecordedLine] : [];
}

interface RecordedTurn {
  /** Undefined for an unrequested turn. */
  readonly user: WireObject | undefined;
  readonly steps: Step[];
}

/** Requests that the emulator sends itself when it initializes an in-process server. */
const GREETING = new Set(['initialize', 'notifications/initialized', 'tools/list']);

class ScenarioMaker {
  readonly #answers: ReadonlyMap<unknown, readonly WireObject[]>;
  readonly #requests: Cue[] = [];
  readonly #turns: RecordedTurn[] = [];
  readonly #start: Step[] = [];
  #waiting: RecordedTurn[] = [];
  #current: RecordedTurn | undefined;
  #last: RecordedTurn | undefined;

  constructor(lines: readonly RecordedLine[]) {
    this.#answers = answersById(lines);
  }

  get scenario(): Scenario {
    const turns = this.#turns.map(toCue);
    return [...(this.#start.length === 0 ? [] : [onStart(this.#start)]), ...this.#requests, ...turns];
  }

  take({ from, frame }: RecordedLine): void {
    if (from === 'cli') this.#takeCli(frame);
    else if (frame.type === 'user') this.#takeUser(frame);
    else if (frame.type === 'control_request') this.#takeHostRequest(frame);
  }

  #takeUser(user: WireObject): void {
    const turn = { user, steps: [] };
    this.#turns.push(turn);
    this.#waiting.push(turn);
  }

  #takeHostRequest({ request_id: id, request }: WireObject): void {
    if (!isObject(request) || request.subtype === 'interrupt') return;
    const steps = (this.#answers.get(id) ?? []).map(toAnswer);
    // A request that was never answered is left to the emulated version.
    if (steps.length > 0) this.#requests.push(onRequest(String(request.subtype), steps));
  }

  #takeCli(frame: WireObject): void {
    switch (frame.type) {
      case 'control_response':
      case 'control_cancel_request':
        return;
      case 'control_request':
        if (isObject(frame.request) && !isGreeting(frame.request)) this.#add(askHost(bodyOf(frame.request)));
        return;
      default:
        this.#addMessage(frame);
    }
  }

  #addMessage(frame: WireObject): void {
    // An init without a waiting message starts a turn of the CLI's own.
    if (frame.type === 'system' && frame.subtype === 'init' && this.#current === undefined) this.#openTurn();
    const { session_id: _, ...message } = frame;
    this.#add(send(message));
    if (frame.type !== 'result') return;
    const done: unknown = frame.user_message_uuids;
    const uuids = Array.isArray(done) ? done : [];
    this.#waiting = this.#waiting.filter(
      ({ user }) => user?.uuid === undefined || !uuids.includes(user.uuid),
    );
    this.#current = undefined;
  }

  #openTurn(): void {
    const next = this.#waiting.shift();
    this.#current = next ?? { user: undefined, steps: [] };
    if (next === undefined) this.#turns.push(this.#current);
    this.#last = this.#current;
  }

  #add(step: Step): void {
    if (this.#current === undefined && this.#waiting.length > 0) this.#openTurn();
    // Frames after a result belong to the turn that ended; those before everything belong to the start.
    (this.#current ?? this.#last)?.steps.push(step);
    if (this.#current === undefined && this.#last === undefined) this.#start.push(step);
  }
}

function answersById(lines: readonly RecordedLine[]): ReadonlyMap<unknown, readonly WireObject[]> {
  const answers = new Map<unknown, WireObject[]>();
  for (const { from, frame } of lines) {
    if (from !== 'cli' || frame.type !== 'control_response' || !isObject(frame.response)) continue;
    const { request_id: id } = frame.response;
    answers.set(id, [...(answers.get(id) ?? []), frame.response]);
  }
  return answers;
}

function toAnswer(response: WireObject): Step {
  if (response.subtype === 'success') return answer(response.response);
  const code = typeof response.error_code === 'string' ? response.error_code : undefined;
  return refuse(String(response.error), code);
}

function toCue({ user, steps }: RecordedTurn): Cue {
  if (user === undefined) return { ...unasked(steps), bare: true };
  const text = plainText(isObject(user.message) ? user.message.content : '');
  return {
    on: 'user',
    match: (said: string) => said === text,
    bare: true,
    steps: (_, message) => steps.map((step) => renamed(step, user.uuid, message.uuid)),
  };
}

/** Replaces the recorded uuid with that of the message being answered. */
function renamed(step: Step, from: unknown, to: unknown): Step {
  if (step.do !== 'send' || typeof from !== 'string' || typeof to !== 'string') return step;
  const text = JSON.stringify(step.message).replaceAll(JSON.stringify(from), JSON.stringify(to));
  const message: unknown = JSON.parse(text);
  return isObject(message) ? send(message) : step;
}

function isGreeting({ subtype, message }: WireObject): boolean {
  return subtype === 'mcp_message' && isObject(message) && GREETING.has(String(message.method));
}

function bodyOf(request: WireObject): RequestBody {
  return { ...request, subtype: String(request.subtype) };
}
