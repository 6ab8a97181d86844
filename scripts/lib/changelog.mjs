// What `changeset version` leaves to be done in CHANGELOG.md.

/**
 * Moves the section "Unreleased" into the one that `changeset version` wrote above it, before the changes that are
 * listed there. Without such a pair of sections, the text stays as it is.
 */
export function withoutUnreleased(text) {
  const joined = text.replace(
    /^(## \d.*\n)([\s\S]*?)^## Unreleased.*\n([\s\S]*?)(?=^## |(?![\s\S]))/m,
    (_, heading, changes, written) =>
      `${[heading, written, changes]
        .map((part) => part.trim())
        .join('\n\n')
        .trim()}\n\n`,
  );
  return `${joined.trimEnd()}\n`;
}
