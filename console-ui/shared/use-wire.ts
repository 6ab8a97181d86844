import { useMemo, useSyncExternalStore } from 'react';
import { type ListItem, RowList } from './model/row-list.js';
import type { WireLog, WireSnapshot } from './model/wire-log.js';

/** A log's current content; the component re-renders when it changes. */
export function useWire(log: WireLog): WireSnapshot {
  return useSyncExternalStore(log.subscribe, log.snapshot, log.snapshot);
}

/** The rows that match a filter, and the errors in the filter. */
export function useRows(
  log: WireLog,
  filter: string,
  fold: boolean,
): { readonly items: readonly ListItem[]; readonly problems: readonly string[] } {
  const snapshot = useWire(log);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log needs a list of its own
  const list = useMemo(() => new RowList({ filter, fold }), [log, filter, fold]);
  return { items: list.update(snapshot), problems: list.filter.problems };
}
