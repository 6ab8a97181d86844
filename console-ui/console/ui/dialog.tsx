import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

/** A dialog over the page; Escape and a press beside it close it. The focus goes to its first field, and back again. */
export function Dialog({
  title,
  onClose,
  wide = false,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Whether it takes the whole width. */
  wide?: boolean;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // A plain effect would close it after it was taken out of the page, and the browser would not give the focus back.
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
      // A click would also be one that begins in a field, where text is being marked, and ends beside the dialog.
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      <div className="dialog-body">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" className="quiet icon" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
