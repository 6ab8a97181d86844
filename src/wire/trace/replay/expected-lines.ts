import { decodeLine, isObject, type WireObject } from '../../protocol/frames.js';
import { CoxswainError } from '../../util/errors.js';
import { type Difference, findDifferences, formatDifferences } from '../analysis/differences.js';
import { labelFrame, requestIdOf } from '../analysis/label.js';
import { type NormaliseOptions, normalise } from '../analysis/normalise.js';
import type { TraceLine } from '../format.js';
import type { Redact } from '../redact/redactor.js';
import type { IdMap } from './id-map.js';

/** A line that the host sent during the recording. */
export interface ExpectedLine {
  /** The line of the file. */
  readonly at: number;
  readonly line: TraceLine;
  met: boolean;
}

/** What is needed to match a line. */
export interface MatchParts {
  readonly ids: IdMap;
  readonly recordedPaths: NormaliseOptions['paths'];
  readonly actualPaths: NormaliseOptions['paths'];
  /** Removes from a line what was removed from the recording. */
  readonly redact: Redact | undefined;
}

/** The host's lines of a recording, and which of them have been sent again. */
export class ExpectedLines {
  readonly #lines: readonly ExpectedLine[];
  readonly #parts: MatchParts;

  constructor(lines: readonly ExpectedLine[], parts: MatchParts) {
    this.#lines = lines;
    this.#parts = parts;
  }

  /** Finds the recorded line that this one repeats, and marks it. @throws ReplayMismatchError if there is none. */
  match(line: string): void {
    const frame = parsed(line);
    const due = this.#due(frame);
    if (due === undefined) throw nothingDue(line);
    const { recordedPaths, actualPaths, redact, ids } = this.#parts;
    const expected = normalise(due.line.frame ?? due.line.line, { paths: recordedPaths });
    const clean = redact === undefined ? line : redact(line);
    const got = normalise(parsed(clean) ?? clean, { paths: actualPaths });
    const differences = findDifferences(expected, got);
    if (differences.length > 0) {
      const what = `The host sent something other than line ${due.at} of the recording (${labelOf(due)}):`;
      throw new ReplayMismatchError(`${what}\n${formatDifferences(differences)}`, {
        at: due.at,
        differences,
      });
    }
    due.met = true;
    ids.learn(due.line.frame, frame);
  }

  /** What the host has not sent yet. */
  get missing(): readonly ExpectedLine[] {
    return this.#lines.filter(({ met }) => !met);
  }

  /** Answers are matched by the id of their request, since callbacks may overtake each other; other lines in order. */
  #due(frame: WireObject | undefined): ExpectedLine | undefined {
    const open = this.missing;
    if (frame?.type !== 'control_response') return open.find(({ line }) => !isAnswer(line));
    const id = requestIdOf(frame);
    const { ids } = this.#parts;
    return open.find(({ line }) => isAnswer(line) && ids.actual(idOf(line)) === id);
  }
}

/** A short description of an expected line. */
export function labelOf({ line }: ExpectedLine): string {
  return line.frame === undefined ? 'noise' : labelFrame(line.frame);
}

function isAnswer({ frame }: TraceLine): boolean {
  return frame?.type === 'control_response';
}

function idOf({ frame }: TraceLine): string {
  return (frame === undefined ? undefined : requestIdOf(frame)) ?? '';
}

function parsed(line: string): WireObject | undefined {
  if (decodeLine(line).kind === 'noise') return undefined;
  const value: unknown = JSON.parse(line);
  return isObject(value) ? value : undefined;
}

function nothingDue(line: string): ReplayMismatchError {
  const frame = parsed(line);
  const label = frame === undefined ? 'noise' : labelFrame(frame);
  const start = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return new ReplayMismatchError(
    `The host sent a line that is not in the recording (${label}):\n  ${start}`,
    {},
  );
}

/** Thrown when a replayed program does not do what was recorded. */
export class ReplayMismatchError extends CoxswainError {
  /** The expected line of the recording; undefined if nothing more was expected. */
  readonly at: number | undefined;
  /** The differences. */
  readonly differences: readonly Difference[];

  constructor(
    message: string,
    { at, differences = [] }: { at?: number | undefined; differences?: readonly Difference[] },
  ) {
    super('REPLAY_MISMATCH', message);
    this.at = at;
    this.differences = differences;
  }
}
