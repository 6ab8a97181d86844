import { textParts } from '../../../src/wire/util/unusual.js';

/**
 * A text in which nothing is hidden: characters that are invisible, or change how others look, are spelled
 * out and marked.
 */
export function VisibleText({ text }: { text: string }) {
  return textParts(text).map((part, index) =>
    part.unusual ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts do not move
      <mark key={index} className="unusual">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
