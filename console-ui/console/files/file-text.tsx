import { useEffect, useRef } from 'react';
import type { FileView } from '../../../src/entry/remote/contract.js';
import { Highlighted } from '../code/highlighted.js';
import { languageOf } from '../code/language-of.js';
import { InSight } from '../conversation/in-sight.js';
import { VisibleText } from '../conversation/visible-text.js';
import { filePieces, LINE_PX } from './file-pieces.js';

/** What is in a file: text, a picture, or something that cannot be shown. */
export function FileContent({ file, line }: { file: FileView; line?: number | undefined }) {
  const { path, text, image, bytes } = file;
  if (image !== undefined)
    return <img className="file-image" src={`data:${image.type};base64,${image.data}`} alt={path} />;
  if (text === undefined) return <p>This is not text: {sizeWords(bytes)}.</p>;
  return text === '' ? <p className="faint">The file is empty.</p> : <FileText file={file} line={line} />;
}

/** The text of a file, with line numbers; perhaps at a line. */
function FileText({ file, line }: { file: FileView; line?: number | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line !== undefined) frame.current?.scrollTo({ top: (line - 4) * LINE_PX, behavior: 'instant' });
  }, [line]);
  return (
    <section ref={frame} className="file-text" tabIndex={0} aria-label={`Text of ${file.path}`}>
      {filePieces(file.text ?? '').map(({ text, from, lines }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces do not move
        <InSight key={index} height={lines * LINE_PX}>
          <Piece text={text} from={from} lines={lines} language={languageOf(file.path)} at={line} />
        </InSight>
      ))}
    </section>
  );
}

function Piece({
  text,
  from,
  lines,
  language,
  at,
}: {
  text: string;
  from: number;
  lines: number;
  language: string;
  /** The line to show. */
  at: number | undefined;
}) {
  const numbers = Array.from({ length: lines }, (_, index) => from + index);
  return (
    <div className="file-piece">
      <div className="file-numbers" aria-hidden="true">
        {numbers.map((number) => (
          <div key={number} data-wanted={number === at}>
            {number}
          </div>
        ))}
      </div>
      <pre>
        <Highlighted text={text} language={language} otherwise={<VisibleText text={text} />} />
      </pre>
    </div>
  );
}

/** A number of bytes, for people. */
export function sizeWords(bytes: number): string {
  return bytes < 1024
    ? `${bytes} bytes`
    : `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KiB`;
}
