import { FrameNamer, timeOf } from '../../../src/wire/trace/analysis/frame-notes.js';
import { type Finding, MistakeFinder } from '../../../src/wire/trace/analysis/mistakes.js';
import type { RecordedEnd, TraceHeader } from '../../../src/wire/trace/format.js';
import { type Exchange, ExchangeList } from './exchanges.js';
import { type Span, SpanFinder } from './spans.js';
import { CostTotals, type TurnCost } from './totals.js';
import { makeRow, type WireEntry, type WireRow } from './wire-row.js';

/** What is known about a session's wire at one moment. Lists only grow until `generation` changes. */
export interface WireSnapshot {
  /** Changes whenever anything changes. */
  readonly version: number;
  /** Changes when rows were dropped and everything held before is invalid. */
  readonly generation: number;
  readonly rows: readonly WireRow[];
  readonly exchanges: ReadonlyMap<number, Exchange>;
  readonly openRequests: number;
  readonly spans: readonly Span[];
  readonly turns: readonly TurnCost[];
  readonly findings: readonly Finding[];
  /** By the line they refer to. */
  readonly findingsAt: ReadonlyMap<number, readonly Finding[]>;
  readonly header: TraceHeader | undefined;
  readonly cliVersion: string | undefined;
  readonly sessionId: string | undefined;
  readonly end: RecordedEnd | undefined;
  /** The time of the last row, in milliseconds. */
  readonly duration: number;
  /** How many earlier entries are no longer held. */
  readonly dropped: number;
}

/** The options of a {@link WireLog}. */
export interface WireLogOptions {
  /** How many entries to keep; beyond that, the older half is dropped. */
  readonly limit?: number | undefined;
  /** Whether the first entry is the first of the session. */
  readonly fromStart?: boolean | undefined;
  /** Whether to look for mistakes here; otherwise they come through `addFindings`. */
  readonly findMistakes?: boolean | undefined;
}

/**
 * Holds a session's entries and everything derived from them; grows as entries arrive. For
 * `useSyncExternalStore`.
 */
export class WireLog {
  readonly #limit: number;
  readonly #findMistakes: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #given: Finding[] = [];
  #state: LogState;
  #entries: WireEntry[] = [];
  #dropped = 0;
  #version = 0;
  #snapshot: WireSnapshot;

  constructor({ limit = 250_000, fromStart = true, findMistakes = true }: WireLogOptions = {}) {
    this.#limit = limit;
    this.#findMistakes = findMistakes;
    this.#state = new LogState(findMistakes ? new MistakeFinder({ fromStart }) : undefined);
    this.#snapshot = this.#take();
  }

  /** Adds entries in their order. */
  append(entries: readonly WireEntry[]): void {
    if (entries.length === 0) return;
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#state.take(entry);
    }
    if (this.#entries.length > this.#limit) this.#drop();
    this.#changed();
  }

  /** Adds the findings of a schema check. */
  addFindings(findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    this.#given.push(...findings);
    for (const finding of findings) this.#state.find(finding);
    this.#changed();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): WireSnapshot => this.#snapshot;

  /** Everything is recomputed from the newer half: that is rare, and simple. */
  #drop(): void {
    const count = this.#entries.length - Math.floor(this.#limit / 2);
    this.#dropped += count;
    this.#entries = this.#entries.slice(count);
    const { header, cliVersion, sessionId } = this.#state;
    const finder = this.#findMistakes ? new MistakeFinder({ fromStart: false }) : undefined;
    this.#state = new LogState(finder, { header, cliVersion, sessionId });
    for (const entry of this.#entries) this.#state.take(entry);
    for (const finding of this.#given) this.#state.find(finding);
  }

  #changed(): void {
    this.#version += 1;
    this.#snapshot = this.#take();
    for (const listener of this.#listeners) listener();
  }

  #take(): WireSnapshot {
    const { rows, exchanges, spans, costs, findings, findingsAt } = this.#state;
    const { header, cliVersion, sessionId, end, duration } = this.#state;
    return {
      ...{ version: this.#version, generation: this.#dropped, dropped: this.#dropped },
      ...{ rows, exchanges: exchanges.byRow, openRequests: exchanges.openCount },
      ...{ spans: spans.spans, turns: costs.turns, findings, findingsAt },
      ...{ header, cliVersion, sessionId, end, duration },
    };
  }
}

type Known = Pick<WireSnapshot, 'header' | 'cliVersion' | 'sessionId'>;

/** Everything derived from a run of entries. */
class LogState {
  readonly rows: WireRow[] = [];
  readonly exchanges = new ExchangeList();
  readonly spans = new SpanFinder();
  readonly costs = new CostTotals();
  readonly findings: Finding[] = [];
  readonly findingsAt = new Map<number, Finding[]>();
  header: TraceHeader | undefined;
  cliVersion: string | undefined;
  sessionId: string | undefined;
  end: RecordedEnd | undefined;
  duration = 0;
  #namer = new FrameNamer();
  #mistakes: MistakeFinder | undefined;

  constructor(mistakes: MistakeFinder | undefined, known?: Known) {
    this.#mistakes = mistakes;
    this.header = known?.header;
    this.cliVersion = known?.cliVersion;
    this.sessionId = known?.sessionId;
  }

  take(placed: WireEntry): void {
    const { at, entry } = placed;
    if (entry.kind === 'header' && this.rows.length > 0) this.#restart();
    const note = this.#namer.note(placed);
    this.duration = Math.max(this.duration, timeOf(entry) ?? 0);
    const row = makeRow(placed, this.rows.length, timeOf(entry) ?? this.duration, note);
    this.rows.push(row);
    const exchange = this.exchanges.take(row);
    this.spans.take(row, exchange);
    this.costs.take(row);
    this.#learn(placed);
    for (const finding of this.#mistakes?.take(at, entry, note) ?? []) this.find(finding);
    if (entry.kind === 'end') for (const finding of this.#mistakes?.finish() ?? []) this.find(finding);
  }

  find(finding: Finding): void {
    this.findings.push(finding);
    const here = this.findingsAt.get(finding.at);
    if (here === undefined) this.findingsAt.set(finding.at, [finding]);
    else here.push(finding);
  }

  /** A resumed session continues with another CLI. */
  #restart(): void {
    this.#namer = new FrameNamer();
    if (this.#mistakes !== undefined) this.#mistakes = new MistakeFinder({ fromStart: true });
    this.end = undefined;
  }

  #learn({ entry }: WireEntry): void {
    if (entry.kind === 'header') this.header ??= entry;
    if (entry.kind === 'facts') this.cliVersion = entry.cliVersion ?? this.cliVersion;
    if (entry.kind === 'facts') this.sessionId = entry.sessionId ?? this.sessionId;
    if (entry.kind === 'end') this.end = entry.end;
  }
}
