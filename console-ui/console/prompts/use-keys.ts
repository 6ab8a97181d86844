import { useEffect, useRef } from 'react';

/** Actions by key: `a`, `d`, `1` … */
export type Keys = Readonly<Record<string, () => void>>;

/**
 * Listens for single keys meant for the prompt: it has the focus, nobody is typing in it, and it has been visible
 * long enough to read. Allowing is never bound to Enter, which people press without looking.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = isForPrompt(event) ? current.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function isForPrompt(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.closest('.prompt[data-ready="true"]') === null) return false;
  return !takesKey(target, event.key);
}

/** Whether an element uses a key itself. */
function takesKey(target: HTMLElement, key: string): boolean {
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
