import type { ReactNode } from 'react';
import { Dialog } from './dialog.js';

/** Asks for confirmation before something that is hard to undo. */
export function Question({
  title,
  yes,
  isDanger = false,
  disabled = false,
  onYes,
  onClose,
  children,
}: {
  title: string;
  /** The button's label. */
  yes: string;
  isDanger?: boolean;
  disabled?: boolean;
  /** Does it; the dialog stays open if that fails. */
  onYes: () => Promise<boolean>;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void onYes().then((done) => done && onClose());
        }}
      >
        {children}
        <div className="prompt-actions">
          <button type="submit" className={isDanger ? 'danger' : 'primary'} disabled={disabled}>
            {yes}
          </button>
          <button type="button" className="quiet" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
