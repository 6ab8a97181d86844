import { useEffect, useRef, useState } from 'react';
import type { FileView } from '../../../src/entry/remote/contract.js';
import { CopyButton } from '../../shared/copy-button.js';
import { VisibleText } from '../conversation/visible-text.js';
import { useAgain, useFresh, useReturn } from '../panels/use-fresh.js';
import { useConsole, useReach } from '../store/context.js';
import { draftOf, lineEndsOf, setDraft } from './drafts.js';
import { FileEditor } from './file-editor.js';
import { FileContent, sizeWords } from './file-text.js';

/** One file: its text, or an editor. */
export function FilePane({
  session,
  path,
  sign,
  onBack,
}: {
  session: string;
  path: string;
  /** Changes when the file may have changed. */
  sign: string;
  onBack: () => void;
}) {
  const { link } = useReach();
  const file = useFresh(true, () => link.command('file', { path }, { session }));
  useAgain(file.renew, sign);
  useReturn(file.renew);
  const [, setEdits] = useState(0);
  const draft = draftOf(session, path);
  const again = () => setEdits((count) => count + 1);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // On a phone, the list that had the focus is gone.
    const { activeElement } = document;
    const isHidden = activeElement instanceof HTMLElement && activeElement.offsetParent === null;
    if (isHidden) heading.current?.focus();
  }, []);
  const { value } = file;
  return (
    <section className="file-pane" aria-label="File" aria-busy={file.asking}>
      <header className="file-head">
        <button
          type="button"
          className="quiet icon files-back"
          aria-label="Back to the files"
          onClick={onBack}
        >
          ‹
        </button>
        <h2 ref={heading} tabIndex={-1}>
          <VisibleText text={path} />
        </h2>
        {value !== undefined && draft === undefined && (
          <Actions
            file={value}
            onEdit={({ text = '', version = '' }) => {
              const lineEnds = lineEndsOf(text);
              setDraft(session, path, { text: text.replaceAll('\r\n', '\n'), version, lineEnds });
              again();
            }}
          />
        )}
      </header>
      {file.problem !== undefined && <p className="problem">{file.problem}</p>}
      {draft !== undefined ? (
        <FileEditor
          session={session}
          path={path}
          draft={draft}
          onChange={again}
          onClosed={() => {
            again();
            file.renew();
            heading.current?.focus();
          }}
        />
      ) : (
        value !== undefined && <FileContent file={value} />
      )}
    </section>
  );
}

function Actions({ file, onEdit }: { file: FileView; onEdit: (file: FileView) => void }) {
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  const { text, version, bytes, cut } = file;
  if (text === undefined) return null;
  const reason = whyNot(file);
  return (
    <div className="file-actions">
      <span className="faint">
        {sizeWords(bytes)}
        {cut && ', only the beginning is shown'}
        {isOwner && reason !== undefined && `, ${reason}`}
      </span>
      <CopyButton text={text} className="quiet small" />
      {isOwner && version !== undefined && reason === undefined && (
        <button type="button" className="small" onClick={() => onEdit(file)}>
          Edit
        </button>
      )}
    </div>
  );
}

/** Why a text cannot be edited here without changing more than what somebody edits. */
function whyNot({ text = '', version, cut }: FileView): string | undefined {
  if (cut) return 'too long to edit here';
  if (version === undefined) return 'not UTF-8, so it cannot be edited here';
  return lineEndsOf(text) === 'mixed' ? 'its line ends differ, so it cannot be edited here' : undefined;
}
