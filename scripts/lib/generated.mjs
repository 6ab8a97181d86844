// Generated files: `--check` reports whether they are up to date, otherwise they are written.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes what differs, or with `check` only reports it; returns the exit code. `remedy` is the command to run. */
export function settle(files, { check, remedy }) {
  const different = [...files].filter(
    ([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text,
  );
  for (const [path, text] of different) {
    if (check) {
      console.error(`${path} is not in step: run ${remedy}`);
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      console.log(`wrote ${path}`);
    }
  }
  return check && different.length > 0 ? 1 : 0;
}

/** Replaces the text between `<!-- name:start -->` and `<!-- name:end -->`. */
export function betweenMarks(text, name, content) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`no ${start} … ${end} in the page`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}
