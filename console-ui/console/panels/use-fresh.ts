import { useCallback, useEffect, useRef, useState } from 'react';
import { failureText } from '../store/context.js';

/** The result: undefined while loading, so nothing outdated is ever shown. */
export interface Fresh<Value> {
  readonly value: Value | undefined;
  readonly asking: boolean;
  readonly problem: string | undefined;
  /** Clears the content and queries again. */
  readonly ask: () => void;
  /** Queries again; the content stays until the answer has arrived. */
  readonly renew: () => void;
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
  const renew = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    const set = (next: Partial<Fresh<Value>>) => {
      if (turn.current === mine) setState({ ...NOTHING, ...next });
    };
    latest.current().then(
      (value) => set({ value }),
      (error: unknown) => set({ problem: failureText(error) }),
    );
  }, []);
  const ask = useCallback(() => {
    setState({ ...NOTHING, asking: true });
    renew();
  }, [renew]);
  useEffect(() => {
    if (connected) ask();
    return () => {
      turn.current += 1;
      setState(NOTHING);
    };
  }, [connected, ask]);
  return { ...state, ask, renew };
}

/** Calls a function when you come back to the page: something may have changed meanwhile. */
export function useReturn(renew: () => void): void {
  useEffect(() => {
    addEventListener('focus', renew);
    return () => removeEventListener('focus', renew);
  }, [renew]);
}

/** Calls a function when a sign changes, as after a turn that may have changed files. */
export function useAgain(ask: () => void, sign: string): void {
  const [seen, setSeen] = useState(sign);
  useEffect(() => {
    if (seen === sign) return;
    setSeen(sign);
    ask();
  }, [seen, sign, ask]);
}

const NOTHING = { value: undefined, asking: false, problem: undefined };
