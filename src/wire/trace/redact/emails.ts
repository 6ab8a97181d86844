const LOCAL = /[A-Za-z0-9._%+-]/;
const DOMAIN = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}(?![A-Za-z0-9-])/;
const LONGEST_LOCAL = 64;

/** Replaces e-mail addresses. It starts from each `@`: a pattern would try every letter of a long text. */
export function hideEmails(line: string): string {
  let clean = '';
  let done = 0;
  for (let at = line.indexOf('@'); at !== -1; at = line.indexOf('@', at + 1)) {
    const domain = DOMAIN.exec(line.slice(at + 1, at + 300));
    const start = localStart(line, at, done);
    if (domain === null || start === at) continue;
    clean += `${line.slice(done, start)}<email>`;
    done = at + 1 + domain[0].length;
  }
  return clean + line.slice(done);
}

/** Where the part before the `@` begins; the letter of an escape such as `\n` does not belong to it. */
function localStart(line: string, at: number, floor: number): number {
  let start = at;
  while (start > floor && at - start < LONGEST_LOCAL && LOCAL.test(line[start - 1] ?? '')) start -= 1;
  if (!isEscaped(line, start)) return start;
  return Math.min(at, start + (line[start] === 'u' ? 5 : 1));
}

function isEscaped(line: string, index: number): boolean {
  let backslashes = 0;
  while (line[index - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
