import type { FileView } from '../../../src/entry/remote/contract.js';
import { CopyButton } from '../../shared/copy-button.js';
import { useFresh } from '../panels/use-fresh.js';
import { useReach } from '../store/context.js';
import { go } from '../store/route.js';
import { Dialog } from '../ui/dialog.js';
import type { FilePlace } from './file-links.js';
import { FileContent, sizeWords } from './file-text.js';

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
  const onEdit = (path: string) => {
    onClose();
    go(session, 'files', path);
  };
  return (
    <Dialog title={place.path} onClose={onClose} wide>
      {file.asking && <p className="faint">Reading the file…</p>}
      {file.problem !== undefined && <p className="problem">{file.problem}</p>}
      {file.value !== undefined && <Content file={file.value} line={place.line} onEdit={onEdit} />}
    </Dialog>
  );
}

function Content({
  file,
  line,
  onEdit,
}: {
  file: FileView;
  line: number | undefined;
  onEdit: (path: string) => void;
}) {
  if (file.text === undefined) return <FileContent file={file} />;
  return (
    <>
      <div className="file-facts">
        <span className="faint">{sizeWords(file.bytes)}</span>
        {file.cut && <span className="faint">only the beginning is shown</span>}
        <CopyButton text={file.text} className="quiet small" />
        <button type="button" className="quiet small" onClick={() => onEdit(file.path)}>
          Open in Files
        </button>
      </div>
      <FileContent file={file} line={line} />
    </>
  );
}
