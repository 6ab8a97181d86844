import { isObject, type WireObject } from '../../protocol/frames.js';
import { type FrameNote, noteFrames } from '../analysis/frame-notes.js';
import { requestIdOf } from '../analysis/label.js';
import { normalise } from '../analysis/normalise.js';
import { loadTrace, type PlacedEntry, type TraceSource } from '../read/read-trace.js';
import { firstRun } from '../replay/replay-transport.js';
import { comesByItself, TurnWriter } from './turn-writer.js';

/** A recording as a scenario of the emulator. */
export interface ScenarioDraft {
  /** A list of cues as JSON, for `coxswain emulate --scenario` and `emulateCli`. */
  readonly scenario: readonly WireObject[];
  /** The version of the recorded CLI, if known. */
  readonly cliVersion: string | undefined;
  /** What could not be converted, as sentences. */
  readonly notes: readonly string[];
}

/** Converts a recording to an emulator scenario: its turns, the answers to the host's requests, and the end. */
export async function toScenario(source: TraceSource): Promise<ScenarioDraft> {
  const entries = firstRun(await loadTrace(source));
  return new Draft(entries).draft();
}

/** What the emulator answers on its own, including everything that follows from it. */
const USUAL = new Set(['initialize', 'mcp_message']);

class Draft {
  readonly #entries: readonly PlacedEntry[];
  readonly #cues: WireObject[] = [];
  readonly #turns: TurnWriter[] = [];
  readonly #notes: string[] = [];
  readonly #asked = new Map<string, FrameNote>();
  #active = 0;

  constructor(entries: readonly PlacedEntry[]) {
    this.#entries = entries;
  }

  draft(): ScenarioDraft {
    for (const note of noteFrames(this.#entries)) {
      if (note.from === 'host') this.#takeHost(note);
      else this.#takeCli(note);
    }
    for (const note of this.#asked.values()) this.#cue(note, [{ do: 'hang' }]);
    this.#takeEnd();
    return {
      scenario: [...this.#cues, ...this.#turns.map((turn) => turn.cue())],
      cliVersion: this.#entries
        .map(({ entry }) => (entry.kind === 'facts' ? entry.cliVersion : undefined))
        .find(Boolean),
      notes: [...this.#notes, ...this.#turns.flatMap(({ notes }) => notes)],
    };
  }

  #takeHost(note: FrameNote): void {
    const { frame, at } = note;
    if (frame?.type === 'user') this.#turns.push(new TurnWriter(frame));
    else if (frame?.type === 'control_request') this.#ask(note, frame);
    else if (frame?.type === 'control_response') this.#current?.takeAnswer(frame);
    else if (frame === undefined) this.#notes.push(`line ${at}: the host sent noise, which was left out.`);
  }

  #ask(note: FrameNote, frame: WireObject): void {
    const id = requestIdOf(frame);
    if (id !== undefined && !USUAL.has(note.subtype ?? '')) this.#asked.set(id, note);
  }

  #takeCli(note: FrameNote): void {
    const { frame } = note;
    if (frame?.type === 'control_response') {
      this.#takeAnswer(frame);
      return;
    }
    const turn = this.#current ?? this.#unasked(note);
    if (turn === undefined) return;
    turn.take(note);
    if (turn.finished) this.#active += 1;
  }

  #takeAnswer({ response }: WireObject): void {
    const id = isObject(response) ? String(response.request_id) : '';
    const asked = this.#asked.get(id);
    if (asked === undefined || !isObject(response)) return;
    this.#asked.delete(id);
    const { subtype, response: value, error, error_code: errorCode } = response;
    this.#cue(asked, [
      subtype === 'error'
        ? { do: 'refuse', error: String(error), ...(errorCode === undefined ? {} : { errorCode }) }
        : { do: 'answer', ...(value === undefined ? {} : { value }) },
    ]);
  }

  #cue({ frame, subtype = '' }: FrameNote, steps: readonly WireObject[]): void {
    const { subtype: _, ...params } = isObject(frame?.request) ? frame.request : {};
    const stable = JSON.stringify(normalise(params)) === JSON.stringify(params);
    const match = stable && Object.keys(params).length > 0 ? { match: params } : {};
    this.#cues.push({ on: 'request', subtype, ...match, steps });
  }

  get #current(): TurnWriter | undefined {
    return this.#turns[this.#active];
  }

  /** A turn that nobody requested begins with its init; everything else between turns is left out. */
  #unasked({ label, at }: FrameNote): TurnWriter | undefined {
    if (label !== 'system/init') {
      if (!comesByItself(label))
        this.#notes.push(`line ${at}: ${label} came between turns and was left out.`);
      return undefined;
    }
    const turn = new TurnWriter(undefined);
    this.#turns.push(turn);
    return turn;
  }

  /** If the CLI exited in the middle of a turn, the scenario does the same. */
  #takeEnd(): void {
    const end = this.#entries.findLast(({ entry }) => entry.kind === 'end')?.entry;
    if (end?.kind !== 'end' || end.end.reason !== 'exited' || this.#current === undefined) return;
    const { code, signal, stderrTail } = end.end;
    this.#current.die({
      ...(code === null ? {} : { code }),
      ...(signal === null ? {} : { signal }),
      ...(stderrTail === '' ? {} : { stderr: stderrTail }),
    });
  }
}
