import { useRef } from 'react';
import { makeUuid } from '../link/uuid.js';
import { useReach } from '../store/context.js';
import { type Attachment, readAttachment } from './attachments.js';
import { keepAttachments } from './kept-attachments.js';

/** Attaches files to a session's next message; the result says whether all of them could be read. */
export function useAttach(): (session: string, files: FileList | null) => Promise<boolean> {
  const { tell } = useReach();
  return async (session, files) => {
    const attached = [...(files ?? [])].map((file) =>
      readAttachment(file, makeUuid)
        .then((attachment) => keepAttachments(session, [attachment]))
        .then(
          () => true,
          (error: unknown) => {
            tell(error instanceof Error ? error.message : String(error), 'error');
            return false;
          },
        ),
    );
    return (await Promise.all(attached)).every(Boolean);
  };
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
