import { useEffect, useRef, useState } from 'react';
import { makeUuid } from '../link/uuid.js';
import { useReach } from '../store/context.js';
import { type Attachment, readAttachment } from './attachments.js';

/** The files attached to the next message; files dropped anywhere on the page end up here. */
export function useAttachments() {
  const { tell } = useReach();
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const add = (files: FileList | null) => {
    for (const file of files ?? []) {
      readAttachment(file, makeUuid).then(
        (attachment) => setAttachments((before) => [...before, attachment]),
        (error: unknown) => tell(error instanceof Error ? error.message : String(error), 'error'),
      );
    }
  };
  useDrop(add);
  const remove = (id: string) => setAttachments((before) => before.filter((each) => each.id !== id));
  return { attachments, add, remove, clear: () => setAttachments([]) };
}

/** If a file is dropped outside the field, the browser would open it instead of the page. */
function useDrop(add: (files: FileList | null) => void): void {
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => hasFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      latest.current(event.dataTransfer?.files ?? null);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}

export function Attached({
  attachments,
  onRemove,
}: {
  attachments: readonly Attachment[];
  onRemove: (id: string) => void;
}) {
  if (attachments.length === 0) return null;
  return (
    <ul className="attached" aria-label="Attached">
      {attachments.map(({ id, name, preview }) => (
        <li key={id}>
          {preview !== undefined && <img src={preview} alt="" />}
          <span>{name}</span>
          <button
            type="button"
            className="quiet icon"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(id)}
          >
            ✕
          </button>
        </li>
      ))}
    </ul>
  );
}

export function AttachButton({ onFiles }: { onFiles: (files: FileList | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="quiet" onClick={() => input.current?.click()}>
        Attach
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles(event.target.files);
          event.target.value = '';
        }}
      />
    </>
  );
}
