import { decodeLine, isObject, type WireObject } from '../../protocol/frames.js';
import type { Transport } from '../../transport/transport.js';
import { type Clock, systemClock } from '../../util/clock.js';
import { deferred } from '../../util/deferred.js';
import { diffFrames, type FrameChange } from '../analysis/diff-traces.js';
import { FrameNamer, type FrameNote, noteFrames } from '../analysis/frame-notes.js';
import { requestIdOf } from '../analysis/label.js';
import { pathsFor } from '../analysis/normalise.js';
import { traceLine } from '../format.js';
import { loadTrace, type TraceSource } from '../read/read-trace.js';
import { IdMap } from './id-map.js';
import { firstRun } from './replay-transport.js';

/** The options of {@link replayHost}. */
export interface ReplayHostOptions {
  /** How long to wait for each recorded response of the CLI, in milliseconds. Default: 30 s. */
  readonly waitMs?: number | undefined;
  /** The CLI's current folder, if not this one. */
  readonly cwd?: string | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** How a CLI behaved, compared with a recording. */
export interface HostReplayReport {
  /** What the CLI did differently; empty if nothing changed. */
  readonly changes: readonly FrameChange[];
  /** What did not arrive in time, as sentences. */
  readonly missed: readonly string[];
  /** The number of host lines that were sent. */
  readonly sent: number;
}

/**
 * Sends the host's side of a recording to a CLI and reports what the CLI does differently: a regression test for CLI
 * upgrades. Each line is sent once the CLI has done everything recorded before it. Closes the transport at the end.
 */
export async function replayHost(
  source: TraceSource,
  transport: Transport,
  options: ReplayHostOptions = {},
): Promise<HostReplayReport> {
  const entries = firstRun(await loadTrace(source));
  const header = entries[0]?.entry;
  const run = new HostReplay(noteFrames(entries), transport, options);
  await run.play();
  const recorded = noteFrames(entries).filter(({ from }) => from === 'cli');
  const changes = diffFrames(
    { notes: recorded, paths: pathsFor(header?.kind === 'header' ? header.cwd : undefined) },
    { notes: run.got, paths: pathsFor(options.cwd ?? process.cwd()) },
  );
  return { changes, missed: run.missed, sent: run.sent };
}

class HostReplay {
  readonly got: FrameNote[] = [];
  readonly missed: string[] = [];
  sent = 0;
  readonly #notes: readonly FrameNote[];
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #namer = new FrameNamer();
  readonly #ids = new IdMap();
  #answered = new Set<string>();
  #count = 0;
  #changed = deferred<void>();
  #over = false;

  constructor(notes: readonly FrameNote[], transport: Transport, options: ReplayHostOptions) {
    this.#notes = notes;
    this.#transport = transport;
    this.#clock = options.clock ?? systemClock;
    this.#waitMs = options.waitMs ?? 30_000;
  }

  async play(): Promise<void> {
    void this.#transport.ended.then(() => {
      this.#over = true;
      this.#wake();
    });
    this.#transport.start((lines) => {
      for (const line of lines) this.#take(line);
      this.#wake();
    });
    for (const [index, note] of this.#notes.entries()) {
      if (note.from === 'host') await this.#send(note, this.#notes.slice(0, index));
    }
    await this.#awaitAnswers(this.#notes);
    await this.#transport.close();
  }

  async #send(note: FrameNote, before: readonly FrameNote[]): Promise<void> {
    await this.#awaitAnswers(before);
    const { frame } = note;
    if (frame?.type === 'control_response' && !(await this.#awaitQuestion(note, before))) return;
    const line = this.#ids.translate(note.line);
    this.#count += 1;
    const decoded: unknown = frame === undefined ? undefined : JSON.parse(line);
    this.#namer.note({
      at: this.#count,
      entry: traceLine({ kind: 'line', t: 0, from: 'host', line, frame: asFrame(decoded) }),
    });
    try {
      await this.#transport.send(line);
      this.sent += 1;
    } catch {
      this.missed.push(`The CLI had ended before ${note.label} of line ${note.at} could be sent.`);
    }
  }

  /** A host line may depend on every result and every answer before it. */
  async #awaitAnswers(before: readonly FrameNote[]): Promise<void> {
    const fromCli = before.filter(({ from }) => from === 'cli');
    const results = fromCli.filter(isResult).length;
    const answers = new Set(fromCli.filter(isAnswer).map(({ frame }) => idOf(frame)));
    await this.#until(
      () => this.got.filter(isResult).length >= results,
      () => `Result ${results} did not arrive.`,
    );
    for (const id of answers) {
      if (this.#answered.has(id)) continue;
      this.#answered.add(id);
      await this.#until(
        () => this.got.some((note) => isAnswer(note) && idOf(note.frame) === id),
        () => `The request ${id} was not answered.`,
      );
    }
  }

  /** Finds the CLI's request that matches a recorded one, and learns its ids. */
  async #awaitQuestion(answer: FrameNote, before: readonly FrameNote[]): Promise<boolean> {
    const questions = before.filter(({ from, frame }) => from === 'cli' && frame?.type === 'control_request');
    const question = questions.find(({ frame }) => idOf(frame) === idOf(answer.frame));
    if (question === undefined) return true;
    const alike = questions.filter((each) => questionKey(each) === questionKey(question));
    const number = alike.indexOf(question);
    const find = (): FrameNote | undefined =>
      this.got.filter(
        (note) => note.frame?.type === 'control_request' && questionKey(note) === questionKey(question),
      )[number];
    const came = await this.#until(
      () => find() !== undefined,
      () => `The CLI did not send ${question.label} of line ${question.at}.`,
    );
    if (came) this.#ids.learn(idsOf(question.frame), idsOf(find()?.frame));
    return came;
  }

  #take(line: string): void {
    const decoded = decodeLine(line);
    const frame = decoded.kind === 'noise' ? undefined : asFrame(JSON.parse(line));
    const entry = traceLine({ kind: 'line', t: this.#clock.now(), from: 'cli', line, frame });
    this.#count += 1;
    const note = this.#namer.note({ at: this.#count, entry });
    if (note !== undefined) this.got.push(note);
    if (decoded.kind === 'request' && note !== undefined) this.#refuseUnknown(note, decoded.id);
  }

  /** A request that was not recorded would block the CLI forever. */
  #refuseUnknown(note: FrameNote, id: string): void {
    const key = questionKey(note);
    const known = this.#notes.filter((each) => each.from === 'cli' && questionKey(each) === key).length;
    const asked = this.got.filter((each) => questionKey(each) === key).length;
    if (asked <= known) return;
    const response = { subtype: 'error', request_id: id, error: 'This request is not in the recording.' };
    void this.#transport.send(JSON.stringify({ type: 'control_response', response })).catch(() => {});
  }

  /** Waits for something; if it does not arrive in time, notes that and continues. */
  async #until(done: () => boolean, missed: () => string): Promise<boolean> {
    let timeUp = false;
    const cancel = this.#clock.after(this.#waitMs, () => {
      timeUp = true;
      this.#wake();
    });
    while (!done() && !timeUp && !this.#over) await this.#changed.promise;
    cancel();
    if (!done()) this.missed.push(missed());
    return done();
  }

  #wake(): void {
    const changed = this.#changed;
    this.#changed = deferred();
    changed.resolve();
  }
}

function isResult({ frame }: FrameNote): boolean {
  return frame?.type === 'result';
}

function isAnswer({ frame }: FrameNote): boolean {
  return frame?.type === 'control_response';
}

function idOf(frame: WireObject | undefined): string {
  return (frame === undefined ? undefined : requestIdOf(frame)) ?? '';
}

/** What makes two CLI requests the same, whatever their ids. */
function questionKey({ frame, label }: FrameNote): string {
  const body = isObject(frame?.request) ? frame.request : {};
  const { tool_name: tool, server_name: server, callback_id: callback, input, message } = body;
  const event = isObject(input) ? input.hook_event_name : undefined;
  const method = isObject(message) ? message.method : undefined;
  return [label, tool, server, callback, event, method].join('|');
}

/** The ids of a request that its answer repeats. */
function idsOf(frame: WireObject | undefined): WireObject {
  const body = isObject(frame?.request) ? frame.request : {};
  const { tool_use_id: tool, message } = body;
  return { id: idOf(frame), tool, rpc: isObject(message) ? message.id : undefined };
}

function asFrame(value: unknown): WireObject | undefined {
  return isObject(value) ? value : undefined;
}
