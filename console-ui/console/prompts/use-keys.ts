import { useEffect, useRef } from 'react';

/** What to do by key: `a`, `Enter`, `1` … */
export type Keys = Readonly<Record<string, () => void>>;

/** Listens to single keys while nobody writes anything and no dialog is open. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (takesKey(event.target, event.key)) return;
      const act = current.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Whether an element has a use of its own for a key. */
function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (
    target.isContentEditable ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
    return true;
  if (target instanceof HTMLInputElement)
    return key === 'Enter' || (target.type !== 'radio' && target.type !== 'checkbox');
  return key === 'Enter' && target.closest('button, a, summary') !== null;
}
