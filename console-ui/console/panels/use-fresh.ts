import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from '../store/context.js';

/** What was asked for: nothing while it is on its way, so that nothing old is ever shown. */
export interface Fresh<Value> {
  readonly value: Value | undefined;
  readonly asking: boolean;
  readonly problem: string | undefined;
  /** Forgets what is shown and asks again. */
  readonly ask: () => void;
}

/**
 * Asks each time a panel is opened, and never where there is nobody to ask. What was shown is cleared before each
 * call; an answer that was overtaken by a later call is dropped.
 */
export function useFresh<Value>(connected: boolean, fetch: () => Promise<Value>): Fresh<Value> {
  const [state, setState] = useState<Pick<Fresh<Value>, 'value' | 'asking' | 'problem'>>(NOTHING);
  const turn = useRef(0);
  const latest = useRef(fetch);
  latest.current = fetch;
  const ask = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    const set = (next: Partial<Fresh<Value>>) => {
      if (turn.current === mine) setState({ ...NOTHING, ...next });
    };
    set({ asking: true });
    latest.current().then(
      (value) => set({ value }),
      (error: unknown) => set({ problem: failureText(error) }),
    );
  }, []);
  useEffect(() => {
    if (connected) ask();
    return () => {
      turn.current += 1;
      setState(NOTHING);
    };
  }, [connected, ask]);
  return { ...state, ask };
}

const NOTHING = { value: undefined, asking: false, problem: undefined };
