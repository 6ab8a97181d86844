/** A span, as far as tests of spans look at it. */
export interface SeenSpan {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly start: number;
  readonly failed: boolean;
}

/** Spans as lines, each below the one it is in; failed ones have a mark. */
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
