/** Orders two versions by their numbers: negative, 0 or positive. Anything after a hyphen is ignored. */
export function compareVersions(one: string, other: string): number {
  const left = numbersOf(one);
  const right = numbersOf(other);
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The first version in a text, such as `2.1.17` in "2.1.17 (Claude Code)". */
export function findVersion(text: string): string | undefined {
  return /(?<![\d.])\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(text)?.[0];
}

function numbersOf(version: string): number[] {
  return (version.split('-')[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);
}
