import {
  createContext,
  useCallback,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

/** A short message. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly level: 'info' | 'error';
}

const SHOWN_MS = { info: 5_000, error: 12_000 };
const MOST = 4;

/** Short messages that disappear automatically. */
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

/** The short messages, for the place that shows them. */
export const ToastsContext = createContext<Omit<ReturnType<typeof useToasts>, 'tell'>>({
  toasts: [],
  drop: () => {},
});

/** The open dialogs, the topmost last: only the parts of that one can be seen and used. */
let dialogs: readonly string[] = [];
const listeners = new Set<() => void>();

function setDialogs(next: readonly string[]): void {
  dialogs = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The messages, where they do not get in the way: on the page, or in the topmost dialog. */
export function Toasts({ dialog }: { dialog?: string | undefined }) {
  const { toasts, drop } = useContext(ToastsContext);
  const isTop = useSyncExternalStore(subscribe, () => dialogs.at(-1) === dialog);
  useLayoutEffect(() => {
    if (dialog === undefined) return;
    setDialogs([...dialogs, dialog]);
    return () => setDialogs(dialogs.filter((each) => each !== dialog));
  }, [dialog]);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {(isTop ? toasts : []).map(({ id, text, level }) => (
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
