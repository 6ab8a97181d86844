import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from '../store/context.js';

/** The result: undefined while loading, so nothing outdated is ever shown. */
export interface Fresh<Value> {
  readonly value: Value | undefined;
  readonly asking: boolean;
  readonly problem: string | undefined;
  /** Clears the content and queries again. */
  readonly ask: () => void;
}

/**
 * Queries each time a panel is opened, and never without a CLI. The content is cleared before each call; an
 * outdated answer is dropped.
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
