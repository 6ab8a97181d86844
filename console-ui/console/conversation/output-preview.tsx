import { firstLines, lastLines } from './terminal-lines.js';
import { TerminalText } from './terminal-text.js';

/** How many lines of output are visible without opening it. */
const SHOWN = 6;
const FIRST = 3;

/** The end of a command's output, as a terminal would show it. */
export function OutputPreview({ output }: { output: string }) {
  const { text, before } = lastLines(output, SHOWN);
  if (text.trim() === '') return null;
  return (
    <div className="tool-preview">
      {before > 0 && (
        <p className="faint">
          … {before.toLocaleString()} more {before === 1 ? 'line' : 'lines'} above
        </p>
      )}
      <pre>
        <TerminalText text={text} />
      </pre>
    </div>
  );
}

/** The start of what a tool has found or read. */
export function ResultPreview({ text }: { text: string }) {
  const { text: shown, after } = firstLines(text, FIRST);
  if (shown.trim() === '') return null;
  return (
    <div className="tool-preview">
      <pre>
        <TerminalText text={shown} />
      </pre>
      {after > 0 && (
        <p className="faint">
          … {after.toLocaleString()} more {after === 1 ? 'line' : 'lines'}
        </p>
      )}
    </div>
  );
}
