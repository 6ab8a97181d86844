/** The best matches for a search: by last path segment, then by any segment, then by letters in order. */
export function bestMatches(names: readonly string[], search: string, limit: number): readonly string[] {
  const wanted = search.toLowerCase();
  const fits = names.flatMap((name) => {
    const rank = rankOf(name.toLowerCase(), wanted);
    return rank === undefined ? [] : [{ name, rank }];
  });
  fits.sort(
    (one, other) =>
      one.rank - other.rank ||
      depth(one.name) - depth(other.name) ||
      one.name.length - other.name.length ||
      (one.name < other.name ? -1 : 1),
  );
  return fits.slice(0, limit).map(({ name }) => name);
}

function rankOf(name: string, wanted: string): number | undefined {
  if (wanted === '' || name === wanted) return 0;
  const last = name.slice(name.lastIndexOf('/', name.length - 2) + 1);
  if (last.startsWith(wanted)) return 1;
  if (name.startsWith(wanted)) return 2;
  if (last.includes(wanted)) return 3;
  if (name.includes(wanted)) return 4;
  return hasInOrder(name, wanted) ? 5 : undefined;
}

function hasInOrder(name: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = name.indexOf(letter, at + 1);
    if (at === -1) return false;
  }
  return true;
}

function depth(name: string): number {
  return name.split('/').length;
}
