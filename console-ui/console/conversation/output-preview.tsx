import { lastLines } from './terminal-lines.js';
import { TerminalText } from './terminal-text.js';

/** How many lines of output are visible without opening it. */
const SHOWN = 6;

/** The end of a command's output, as a terminal would show it. */
export function OutputPreview({ output }: { output: string }) {
  const { text, before } = lastLines(output, SHOWN);
  if (text.trim() === '') return null;
  return (
    <div className="tool-preview">
      {before > 0 && <p className="faint">… {before.toLocaleString()} more lines above</p>}
      <pre>
        <TerminalText text={text} />
      </pre>
    </div>
  );
}
