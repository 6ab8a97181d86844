import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Toasts } from './toasts.js';

/**
 * A dialog over the page; Escape or a click outside closes it. The focus moves to its first field, and back
 * afterwards.
 */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Whether it uses the full width. */
  wide?: boolean;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // A plain effect would close it after it was removed from the page, and the browser would not restore the
  // focus.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>('input, textarea, select')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      data-wide={wide}
      aria-labelledby={heading}
      onCancel={onClose}
      // A click event would also fire for a text selection that starts in a field and ends outside the
      // dialog.
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div className="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" className="quiet icon" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        <Toasts dialog={heading} />
        {children}
      </div>
    </dialog>
  );
}
