import { lastLines } from './terminal-lines.js';
import { TerminalText } from './terminal-text.js';

/** How many lines of an output are seen without opening it. */
const SHOWN = 6;

/** The end of what a command printed, as it would stand in a terminal. */
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
