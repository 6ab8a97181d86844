import { type Rule, WORD_END, WORD_START } from './rules.js';

/** Replaces a known text wherever it occurs, however it was escaped. */
export function literalRule(secret: string, replacement: string): Rule {
  const spellings = spellingsOf(secret);
  return {
    needles: spellings.map(needleOf),
    texts: spellings,
    apply: (line) => spellings.reduce((text, spelling) => text.replaceAll(spelling, () => replacement), line),
  };
}

/** Replaces a folder, and its name inside the CLI's own folder names; the rest of the path stays readable. */
export function pathRules(path: string, replacement: string): readonly Rule[] {
  const trimmed = path.replace(/[\\/]+$/, '');
  // The root folder, or an empty path: replacing it would hide every path.
  if (trimmed.length < 3) return [];
  const plain = spellingsOf(trimmed).map((spelling) => wordRule(spelling, replacement));
  const flat = trimmed.replaceAll(/[^A-Za-z0-9]/g, '-');
  return flat.length < 6 ? plain : [...plain, wordRule(flat, replacement)];
}

/** Replaces a user's name where it is a whole word, unless it is also a word of the protocol. */
export function userRules(name: string): readonly Rule[] {
  if (name.length < 3 || ORDINARY.has(name.toLowerCase())) return [];
  return spellingsOf(name).map((spelling) => wordRule(spelling, '<user>'));
}

function wordRule(word: string, replacement: string): Rule {
  const pattern = new RegExp(`${WORD_START}${word.replaceAll(/[^A-Za-z0-9_]/g, '\\$&')}${WORD_END}`, 'g');
  return {
    needles: [needleOf(word)],
    texts: [word],
    apply: (line) => line.replace(pattern, () => replacement),
  };
}

/** Plain, inside JSON, inside JSON inside JSON, and as hosts write it that escape everything but ASCII. */
function spellingsOf(text: string): readonly string[] {
  const once = JSON.stringify(text).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  const ascii = [...once].map((letter) => (letter > '~' ? escaped(letter) : letter)).join('');
  return [...new Set([twice, once, ascii, text])];
}

function escaped(letter: string): string {
  return Array.from(letter, (_, index) => unit(letter.charCodeAt(index))).join('');
}

function unit(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

const RARE = [/[A-Z@/]/, /[jkqvwxz]/, /[bfgmpy]/];

/** A short piece of a text that begins with a rare letter. */
function needleOf(text: string): string {
  const at = RARE.map((letter) => text.slice(0, Math.max(1, text.length - 3)).search(letter)).find(
    (index) => index >= 0,
  );
  return text.slice(at ?? 0, (at ?? 0) + 6);
}

/** Names that are protocol words or everyday words; hiding them would spoil every recording. */
const ORDINARY = new Set(
  (
    'user root admin node system assistant claude test model message tool tools text result name type session ' +
    'default runner ubuntu guest dev app agent agents bash code content error input output role status task tasks ' +
    'host server client data file files home work build deploy debian fedora vagrant docker developer pi'
  ).split(' '),
);

const SECRET_NAME = /(?:api_?key|access_?key|secret|token|password|passwd|credential|private_?key|auth)/i;
// Sockets, counts and switches have such names too, but are not secrets.
const HARMLESS = /^(?:\/|\d+$|true$|false$)/;

/** The values of variables that are named like secrets, longest first. */
export function secretVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= 8 && !HARMLESS.test(value) ? [value] : [],
  );
  return [...new Set(values)].sort((one, other) => other.length - one.length);
}
