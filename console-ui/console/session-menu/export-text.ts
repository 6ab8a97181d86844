import { blocksIn, contentOf, objectsIn, type WireObject } from '../../../src/wire/protocol/frames.js';

/** A conversation as readable text: the messages, and the tool calls with input and result. */
export function asMarkdown(title: string, messages: readonly WireObject[]): string {
  const parts = messages.flatMap(messageParts);
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

/** A name that is valid on every file system. */
export function fileName(title: string): string {
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60);
  return name.replaceAll(/^-+|-+$/g, '') || 'conversation';
}

function messageParts(entry: WireObject): readonly string[] {
  const { type } = entry;
  const blocks = blocksIn(contentOf(entry));
  const said = blocks.flatMap(blockParts);
  const isSpeech = blocks.some((block) => block.type === 'text');
  if (said.length === 0) return [];
  return isSpeech ? [`## ${type === 'user' ? 'You' : 'Claude'}`, ...said] : said;
}

function blockParts(block: WireObject): readonly string[] {
  switch (block.type) {
    case 'text':
      return [String(block.text)];
    case 'tool_use':
      return [`**${String(block.name)}**`, fenced(JSON.stringify(block.input, null, 2), 'json')];
    case 'tool_result':
      return [fenced(resultText(block.content))];
    case 'image':
      return ['(a picture)'];
    default:
      return [];
  }
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ type, text }) => (type === 'text' ? String(text) : `(${String(type)})`))
    .join('\n');
}

/** A fence longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
