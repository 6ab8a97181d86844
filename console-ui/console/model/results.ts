import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { CostTotals, type TurnCost } from '../../shared/model/totals.js';
import { makeRow } from '../../shared/model/wire-row.js';
import { number, text } from './blocks.js';
import { type Draft, put } from './draft.js';
import type { Item, WireLine } from './items.js';

/** Folds the end of a turn: what it cost, and why it failed if it did. */
export function foldResult(draft: Draft, line: WireLine): void {
  const { frame, at, n } = line;
  const cost = costOf(draft.turns, line);
  if (cost !== undefined) draft.turns.push(cost);
  draft.facts = { ...draft.facts, contextMax: contextMax(frame, draft.facts.contextMax) };
  endStreams(draft);
  put(draft, undefined, {
    kind: 'turn-end',
    id: text(frame.uuid) ?? `result-${n}`,
    at,
    ...ending(frame),
    costUsd: cost?.costUsd ?? 0,
    outputTokens: cost?.tokens.output ?? 0,
    durationMs: number(frame.duration_ms),
  });
}

function costOf(before: readonly TurnCost[], { n, at, from, frame }: WireLine): TurnCost | undefined {
  const totals = new CostTotals();
  totals.turns.push(...before);
  totals.take(makeRow({ at: n, entry: { kind: 'line', t: at, from, line: '', frame } }, 0, at));
  return totals.turns[before.length];
}

function contextMax(result: WireObject, before: number): number {
  const models = isObject(result.modelUsage) ? Object.values(result.modelUsage).filter(isObject) : [];
  return Math.max(before, ...models.map((model) => number(model.contextWindow)));
}

function ending(result: WireObject): { failed: boolean; interrupted: boolean; text: string } {
  const interrupted =
    typeof result.terminal_reason === 'string' && result.terminal_reason.startsWith('aborted');
  const failed = result.is_error === true || result.subtype !== 'success';
  const errors = Array.isArray(result.errors) ? result.errors.map(String) : [];
  const said = errors.length > 0 ? errors.join('\n') : (text(result.result) ?? String(result.subtype));
  return { failed: failed && !interrupted, interrupted, text: failed ? said : '' };
}

/** What was cut off in the middle is written no further; a tool that never answered has failed. */
function endStreams(draft: Draft): void {
  draft.streams.clear();
  draft.items = draft.items.map((item) => settled(item));
}

function settled(item: Item): Item {
  if (item.kind === 'text' || item.kind === 'thinking')
    return item.streaming ? { ...item, streaming: false } : item;
  if (item.kind !== 'tool' || (item.state !== 'writing' && item.state !== 'running')) return item;
  return { ...item, state: 'failed', partialInput: undefined, children: item.children.map(settled) };
}
