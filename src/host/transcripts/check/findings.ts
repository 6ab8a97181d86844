import { type FindingCode, finding, type TranscriptFinding } from './finding.js';

/** How many findings of one kind are kept: a broken file of a gigabyte must not fill the memory. */
const KEPT_PER_CODE = 20;

/** Collects findings, the first ones of each kind. */
export class Findings {
  readonly #kept: TranscriptFinding[] = [];
  readonly #counts = new Map<FindingCode, number>();
  #more = 0;

  add(code: FindingCode, what: string, line?: number): void {
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= KEPT_PER_CODE) this.#kept.push(finding(code, what, line));
    else this.#more += 1;
  }

  /** How many were not kept. */
  get more(): number {
    return this.#more;
  }

  /** By line; what is about the whole file comes last. */
  get sorted(): readonly TranscriptFinding[] {
    const place = ({ line }: TranscriptFinding) => line ?? Number.POSITIVE_INFINITY;
    return this.#kept.toSorted((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));
  }
}
