import { isObject, type WireObject } from '../../wire/protocol/frames.js';

/** The text of a user's entry: a person's words, or a command that is shown only if there are no words. */
export type Prompt = { readonly text: string } | { readonly command: string };

const MAX_LENGTH = 200;

/** The prompt in an entry; undefined for anything not typed by a person, such as tool results and notes of the CLI. */
export function promptOf(entry: WireObject): Prompt | undefined {
  if (entry.type !== 'user' || entry.isMeta === true || entry.isCompactSummary === true) return undefined;
  let command: Prompt | undefined;
  for (const text of textsOf(entry.message)) {
    const found = promptIn(text);
    if (found !== undefined && 'text' in found) return found;
    command ??= found;
  }
  return command;
}

function textsOf(message: unknown): readonly string[] {
  const content = isObject(message) ? message.content : undefined;
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  const blocks = content.filter(isObject);
  // Text next to a tool result is a note of the CLI.
  if (blocks.some(({ type }) => type === 'tool_result')) return [];
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
}

function promptIn(text: string): Prompt | undefined {
  const [, command] = /<command-name>(.*?)<\/command-name>/s.exec(text) ?? [];
  if (command !== undefined) return { command };
  const [, shell] = /<bash-input>(.*?)<\/bash-input>/s.exec(text) ?? [];
  if (shell !== undefined) return { text: shortened(`! ${shell}`) };
  const flat = text.replaceAll('\n', ' ').trim();
  return flat === '' || NOT_A_PERSON.test(flat) ? undefined : { text: shortened(flat) };
}

/** Text that editors, hooks and the CLI insert instead of a prompt starts with a lower-case tag. */
const NOT_A_PERSON = /^(?:<[a-z][\w-]*[\s>]|\[Request interrupted by user)/;

function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH).trim()}…`;
}
