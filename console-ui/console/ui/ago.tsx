import { useSyncExternalStore } from 'react';
import { fullTime, timeAgo } from './time.js';

const MINUTE_MS = 60_000;

/** How long ago something was; it stays true while the page is open. */
export function Ago({ at }: { at: number }) {
  const now = useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {timeAgo(at, Math.max(at, now))}
    </time>
  );
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all of them. */
function everyMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
