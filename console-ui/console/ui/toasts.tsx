import { useCallback, useRef, useState } from 'react';

/** A short message. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly level: 'info' | 'error';
}

const SHOWN_MS = { info: 5_000, error: 12_000 };
const MOST = 4;

/** Short messages that disappear by themselves. */
export function useToasts(): {
  readonly toasts: readonly Toast[];
  readonly tell: (text: string, level?: Toast['level']) => void;
  readonly drop: (id: number) => void;
} {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(0);
  const drop = useCallback(
    (id: number) => setToasts((before) => before.filter((each) => each.id !== id)),
    [],
  );
  const tell = useCallback(
    (text: string, level: Toast['level'] = 'info') => {
      next.current += 1;
      const id = next.current;
      setToasts((before) => [...before, { id, text, level }].slice(-MOST));
      setTimeout(() => drop(id), SHOWN_MS[level]);
    },
    [drop],
  );
  return { toasts, tell, drop };
}

/** The messages, where they do not get in the way. */
export function Toasts({ toasts, drop }: { toasts: readonly Toast[]; drop: (id: number) => void }) {
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, level }) => (
        <div key={id} className="toast" data-level={level}>
          <p>{text}</p>
          <button type="button" className="quiet icon" aria-label="Dismiss" onClick={() => drop(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
