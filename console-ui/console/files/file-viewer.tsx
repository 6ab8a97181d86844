import { useEffect, useRef } from 'react';
import type { FileView } from '../../../src/entry/remote/contract.js';
import { CopyButton } from '../../shared/copy-button.js';
import { Highlighted } from '../code/highlighted.js';
import { languageOf } from '../code/language-of.js';
import { InSight } from '../conversation/in-sight.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useFresh } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';
import { Dialog } from '../ui/dialog.js';
import type { FilePlace } from './file-links.js';
import { filePieces, LINE_PX } from './file-pieces.js';

/** The current content of a file in the session's folder. */
export function FileViewer({
  session,
  place,
  onClose,
}: {
  session: string;
  place: FilePlace;
  onClose: () => void;
}) {
  const { link } = useReach();
  const file = useFresh(true, () => link.command('file', { path: place.path }, { session }));
  return (
    <Dialog title={place.path} onClose={onClose} wide>
      {file.asking && <p className="faint">Reading the file…</p>}
      {file.problem !== undefined && <p className="problem">{file.problem}</p>}
      {file.value !== undefined && <Content file={file.value} line={place.line} />}
    </Dialog>
  );
}

function Content({ file, line }: { file: FileView; line: number | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line !== undefined) frame.current?.scrollTo({ top: (line - 4) * LINE_PX, behavior: 'instant' });
  }, [line]);
  if (file.text === undefined) return <p>This is not text: {size(file.bytes)}.</p>;
  return (
    <>
      <div className="file-facts">
        <span className="faint">{size(file.bytes)}</span>
        {file.cut && <span className="faint">only the beginning is shown</span>}
        <CopyButton text={file.text} className="quiet small" />
      </div>
      <section ref={frame} className="file-text" tabIndex={0} aria-label={`Text of ${file.path}`}>
        {filePieces(file.text).map(({ text, from, lines }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces do not move
          <InSight key={index} height={lines * LINE_PX}>
            <Piece text={text} from={from} lines={lines} language={languageOf(file.path)} at={line} />
          </InSight>
        ))}
      </section>
    </>
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

function size(bytes: number): string {
  return bytes < 1024
    ? `${bytes} bytes`
    : `${(bytes / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KiB`;
}
