// Control characters except tab and newline, and characters that change the text direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Makes untrusted text safe to show: it cannot move the cursor or imitate our prompts. */
export function plain(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(UNSAFE, (character) => `\\x${character.charCodeAt(0).toString(16)}`);
}

/** The same, on one line and truncated. */
export function plainLine(text: string, length = 200): string {
  const line = plain(text).replaceAll(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 3)}...`;
}
