import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Gives the focus back to the prompt when a part of it goes that a person has written in. */
export function useFocusBack<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const card = part.current?.closest<HTMLElement>('.prompt');
    return () => card?.focus();
  }, []);
  return part;
}
