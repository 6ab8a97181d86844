/** The known name that a misspelt one most likely meant. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  const ranked = known
    .map((each) => ({ each, far: distance(flatten(name), flatten(each)) }))
    .filter(({ far }) => far <= limit)
    .sort((one, other) => one.far - other.far);
  return ranked[0]?.each;
}

function flatten(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein's distance, one row at a time; two swapped letters count as one mistake. */
function distance(from: string, to: string): number {
  let earlier: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const kept = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = line > 0 && column > 0 && letter === to[column - 1] && from[line - 1] === other;
      const swapped = isSwapped ? (earlier[column - 1] ?? 0) + 1 : kept;
      next.push(Math.min(kept, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    earlier = row;
    row = next;
  }
  return row[to.length] ?? 0;
}
