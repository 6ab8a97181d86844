import type { ReactNode } from 'react';
import type { ChangedFile } from '../../../src/entry/remote/contract.js';
import { VisibleText } from '../conversation/visible-text.js';

const HOW: Readonly<Record<ChangedFile['how'], string>> = {
  added: 'new',
  changed: 'changed',
  removed: 'deleted',
};

/** A file in a list of changes: how and by how much it has changed, what can be done with it, and its diff when unfolded. */
export function ChangedRow({
  file: { path, how, added, removed },
  tag,
  action,
  open,
  onOpen,
  children,
}: {
  file: Pick<ChangedFile, 'path' | 'how' | 'added' | 'removed'>;
  tag?: string | undefined;
  action: ReactNode;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <li className="changed-file" data-how={how}>
      <div className="changed-line">
        <button type="button" className="changed-head" aria-expanded={open} onClick={() => onOpen(!open)}>
          <span className="changed-how">{HOW[how]}</span>
          <span className="changed-path">
            <VisibleText text={path} />
          </span>
          {tag !== undefined && <span className="tag">{tag}</span>}
          {added !== undefined && (
            <span className="counts">
              <span className="added">+{added}</span> <span className="removed">−{removed ?? 0}</span>
            </span>
          )}
        </button>
        {action}
      </div>
      {open && children}
    </li>
  );
}
