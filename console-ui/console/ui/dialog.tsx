import { type ReactNode, useEffect, useId, useRef } from 'react';

/** A dialog over the page; Escape and a press beside it close it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and dialogs have that themselves
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={onClose}
      onClick={(event) => event.target === element.current && onClose()}
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
