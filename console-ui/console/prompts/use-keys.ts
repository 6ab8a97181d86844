import { useEffect, useRef } from 'react';
import { EchoGuard } from './echo-guard.js';

/** What to do by key: `a`, `Enter`, `1` … */
export type Keys = Readonly<Record<string, () => void>>;

const guard = new EchoGuard();

/** Listens to single keys while nobody writes anything and no dialog is open. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys);
  current.current = keys;
  const me = useRef({});
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = isFree(event) ? current.current[event.key] : undefined;
      if (act === undefined) return;
      event.preventDefault();
      if (!guard.isEcho(event.key, event.timeStamp, me.current)) act();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

/** Whether nothing else has a use for a key. */
function isFree(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  return document.querySelector('dialog[open]') === null && !takesKey(event.target, event.key);
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
