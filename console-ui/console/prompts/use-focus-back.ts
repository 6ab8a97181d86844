import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Returns the focus to the prompt when a part that a person has typed in disappears. */
export function useFocusBack<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const card = part.current?.closest<HTMLElement>('.prompt');
    return () => card?.focus();
  }, []);
  return part;
}
