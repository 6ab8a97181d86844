import { useEffect, useState } from 'react';
import { wholeSeconds } from '../../../src/wire/util/numbers.js';
import type { Item } from '../model/items.js';

/** Says at the end of a conversation what the model is doing, and for how long. */
export function Working({ items, activity }: { items: readonly Item[]; activity: string | undefined }) {
  const since = items.findLast(({ kind }) => kind === 'user')?.at;
  const now = useNow();
  return (
    <p className="working">
      <span className="dot" aria-hidden="true" />
      {WORDS.get(activity ?? '') ?? 'Working'}…{' '}
      {since !== undefined && now > since && <span className="faint">{wholeSeconds(now - since)}</span>}
    </p>
  );
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['compacting', 'Summarising the conversation'],
  ['requesting', 'Waiting for the model'],
]);

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
