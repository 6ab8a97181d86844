import { isObject } from '../../../wire/protocol/frames.js';

/** The text of a user message, whether it came as a string or as blocks. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .filter(isObject)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
    .join('\n');
}
