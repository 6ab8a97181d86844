import { encodeObject, encodeRefusal, encodeSuccess } from '../../wire/protocol/encode.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import type { Reply } from '../testing/model/replies.js';
import { describeExit, type Reaction, readAnswer } from './reaction.js';
import { bodyOf, type Fits, labels, message } from './reading.js';
import type { Exit, Place, Start, StartedCli, Subject } from './subject.js';
import { answerRpc } from './tool-server.js';

/** An error answer to a CLI request. */
export class Refusal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Answers a kind of CLI request: a value, a {@link Refusal}, or undefined to leave it open. */
export type Answerer = (body: WireObject, id: string) => unknown;

/** The results of one turn. */
export interface TurnFrames {
  /** All frames from the prompt to the result. */
  readonly frames: readonly WireObject[];
  readonly result: WireObject;
}

/** Records the shape of a CLI's output, under a name. */
export type Recorder = (name: string, value: unknown) => void;

/** What a {@link Stage} is made of. */
export interface StageOptions {
  readonly subject: Subject;
  readonly start?: Start;
  readonly record: Recorder;
  /** Ends the CLI immediately, and every wait with it. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A running CLI as probes use it: raw frames, bounded waits, and answers that can be as wrong as a probe
 * likes.
 */
export class Stage {
  readonly subject: Subject;
  readonly cli: StartedCli;
  readonly frames: WireObject[] = [];
  /** Who answers which CLI request. */
  answers: Readonly<Record<string, Answerer>> = usualAnswers;
  readonly record: Recorder;
  readonly #watchers = new Set<() => void>();
  readonly #others: Stage[] = [];
  readonly #place: Place | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #kill = () => this.cli.kill('SIGKILL');
  #begun = false;
  #exit: Exit | undefined;
  #requests = 0;

  constructor(cli: StartedCli, { subject, start = {}, record, signal }: StageOptions) {
    this.subject = subject;
    this.cli = cli;
    this.record = record;
    this.#place = start.place;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#kill);
    if (signal?.aborted) this.#kill();
  }

  /** Starts a CLI on a stage. */
  static async open(options: StageOptions): Promise<Stage> {
    return new Stage(await options.subject.start(options.start ?? {}), options);
  }

  /** Starts another CLI next to this one, in the same place if that is shared; it is closed with it. */
  async open(start: Start): Promise<Stage> {
    const place = this.#place === undefined ? {} : { place: this.#place };
    const { subject, record } = this;
    const other = await Stage.open({ subject, record, start: { ...place, ...start }, signal: this.#signal });
    this.#others.push(other);
    return other;
  }

  /** Starts reading at a probe's first action: until then, the probe can set how requests are answered. */
  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.cli.transport.start((lines) => {
      for (const line of lines) this.#receive(line);
      this.#wake();
    });
    void Promise.all([this.cli.exit, this.cli.transport.ended]).then(([exit]) => {
      this.#exit = exit;
      this.#wake();
    });
  }

  /** How the process ended, if it has. */
  get ended(): Exit | undefined {
    return this.#exit;
  }

  /** The position in `frames` of whatever comes next. */
  get now(): number {
    return this.frames.length;
  }

  /** The frames since a position in `frames`. */
  since(place: number): readonly WireObject[] {
    return this.frames.slice(place);
  }

  /** The frames between a position in `frames` and the answer to a request. Both may have come in one piece. */
  before(id: string, place: number): readonly WireObject[] {
    const answered = this.frames.findIndex((frame) => answerId(frame) === id);
    return this.frames.slice(place, answered === -1 ? undefined : answered);
  }

  /** Answers some kinds of requests differently until `resetAnswers`. */
  answerWith(answers: Readonly<Record<string, Answerer>>): void {
    this.answers = { ...usualAnswers, ...answers };
  }

  resetAnswers(): void {
    this.answers = usualAnswers;
  }

  /** Sends a line; if the CLI is gone, the next wait finds out. */
  async line(text: string): Promise<void> {
    this.#begin();
    await this.cli.transport.send(text).catch(() => {});
  }

  async send(frame: WireObject): Promise<void> {
    await this.line(encodeObject(frame));
  }

  /** Sends a request and returns its id. */
  async sendRequest(subtype: string, fields: WireObject = {}): Promise<string> {
    this.#requests += 1;
    const id = `probe-${this.#requests}`;
    await this.send({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    return id;
  }

  /** Sends a request and waits for its outcome. */
  async request(
    subtype: string,
    fields: WireObject = {},
    waitMs = this.subject.patience.answerMs,
  ): Promise<Reaction> {
    return this.reactionTo(await this.sendRequest(subtype, fields), waitMs);
  }

  /** Waits for the outcome of a sent request. */
  async reactionTo(id: string, waitMs = this.subject.patience.answerMs): Promise<Reaction> {
    const frame = await this.maybe((each) => answerId(each) === id, { ms: waitMs });
    if (frame !== undefined) return readAnswer(frame);
    return this.#exit === undefined ? { kind: 'silent' } : { kind: 'ended', exit: this.#exit };
  }

  /** All answers to a request so far. */
  answersTo(id: string): readonly WireObject[] {
    return this.frames.filter((frame) => answerId(frame) === id);
  }

  /** Answers a CLI request. */
  async reply(id: unknown, value: unknown): Promise<void> {
    const line =
      value instanceof Refusal
        ? encodeRefusal(String(id), value.text)
        : encodeSuccess(String(id), value ?? null);
    await this.line(line);
  }

  /** Sends a user message. */
  async user(content: unknown, fields: WireObject = {}): Promise<void> {
    await this.send({ type: 'user', message: { role: 'user', content }, ...fields });
  }

  /** Sets the model's answer, sends a user message and waits for the result. */
  async turn(speech: readonly Reply[] = [], fields: WireObject = {}): Promise<TurnFrames> {
    const from = this.now;
    this.cli.model.say(speech);
    await this.user('go', fields);
    return this.result(from);
  }

  /** Interrupts the turn that started at a position in `frames`, and waits for its end. */
  async interrupt(from: number): Promise<void> {
    await this.request('interrupt');
    await this.result(from);
  }

  /** Waits for the result of a turn that started at a position in `frames`. */
  async result(from: number): Promise<TurnFrames> {
    const result = await this.next(message('result'), { from, ms: this.subject.patience.turnMs });
    return { frames: this.since(from), result };
  }

  /** The first matching frame; throws if it does not arrive in time. */
  async next(fits: Fits, options: WaitOptions = {}): Promise<WireObject> {
    const found = await this.maybe(fits, options);
    if (found !== undefined) return found;
    const end = this.#exit === undefined ? '' : `; the process ended: ${describeExit(this.#exit)}`;
    throw new Error(`what was waited for did not come; got ${labels(this.since(options.from ?? 0))}${end}`);
  }

  /** The first matching frame, or undefined when the time is up or the process has ended. */
  async maybe(fits: Fits, { from = 0, ms }: WaitOptions = {}): Promise<WireObject | undefined> {
    this.#begin();
    const deadline = performance.now() + (ms ?? this.subject.patience.turnMs);
    for (;;) {
      const found = this.since(from).find(fits);
      if (found !== undefined || this.#exit !== undefined) return found;
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      await this.#change(left);
    }
  }

  /** Waits for the end of the process. */
  async exit(ms = this.subject.patience.turnMs): Promise<Exit | undefined> {
    await this.maybe(() => false, { ms });
    return this.#exit;
  }

  /** The text of a file once it matches, which may be a moment after the turn; undefined if it never does. */
  async file(path: string, fits: (content: string) => boolean): Promise<string | undefined> {
    const deadline = performance.now() + this.subject.patience.quietMs;
    for (;;) {
      const content = await this.cli.readFile(path);
      if (content !== undefined && fits(content)) return content;
      if (performance.now() > deadline) return undefined;
      await this.#change(50);
    }
  }

  /** Listens for the silence period, and returns what arrived. */
  async quiet(ms = this.subject.patience.quietMs): Promise<readonly WireObject[]> {
    const from = this.now;
    await this.maybe(() => false, { from, ms });
    return this.since(from);
  }

  async close(): Promise<void> {
    for (const other of this.#others) await other.#leave();
    await this.#leave();
    await this.#place?.remove();
  }

  async #leave(): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#kill);
    await this.cli.close();
  }

  #receive(line: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      return;
    }
    if (!isObject(frame)) return;
    this.frames.push(frame);
    const body = bodyOf(frame);
    if (body === undefined) return;
    const value = this.answers[body.subtype]?.(body, String(frame.request_id));
    if (value !== undefined) void this.reply(frame.request_id, value);
  }

  #wake(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#watchers.add(done);
    });
  }
}

/** Where and how long to wait. */
export interface WaitOptions {
  /** The position in `frames` to start from. */
  readonly from?: number;
  readonly ms?: number;
}

/** Allows every call with its own input, passes hooks, plays the server, accepts forms. */
const usualAnswers: Readonly<Record<string, Answerer>> = {
  can_use_tool: ({ input }) => ({ behavior: 'allow', updatedInput: input }),
  hook_callback: () => ({}),
  mcp_message: answerRpc,
  elicitation: () => ({ action: 'accept', content: {} }),
};

function answerId(frame: WireObject): unknown {
  if (frame.type !== 'control_response' || !isObject(frame.response)) return undefined;
  return frame.response.request_id;
}
