/** The parts of a span that tests compare. */
export interface SeenSpan {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly start: number;
  readonly failed: boolean;
}

/** Spans as lines, each below its parent; failed ones are marked. */
export function spanTree(spans: readonly SeenSpan[]): readonly string[] {
  const known = new Set(spans.map(({ id }) => id));
  const lines = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter(
        (span) => (span.parent !== undefined && known.has(span.parent) ? span.parent : undefined) === parent,
      )
      .toSorted((a, b) => a.start - b.start)
      .flatMap(({ id, name, failed }) => [
        `${'  '.repeat(depth)}${name}${failed ? ' !' : ''}`,
        ...lines(id, depth + 1),
      ]);
  return lines(undefined, 0);
}
