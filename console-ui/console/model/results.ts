import { isObject, type WireObject } from '../../../src/protocol/frames.js';
import { number, text } from './blocks.js';
import { type Draft, put } from './draft.js';
import type { Item, WireLine } from './items.js';

/** Folds the end of a turn: what it cost, and why it failed if it did. */
export function foldResult(draft: Draft, { frame, at, n }: WireLine): void {
  const now = runningTotals(frame);
  const { seen } = draft.facts;
  const cost = {
    costUsd: added(now.costUsd, seen.costUsd),
    inputTokens: added(now.inputTokens, seen.inputTokens),
    outputTokens: added(now.outputTokens, seen.outputTokens),
  };
  draft.spent.push({ at, ...cost });
  draft.facts = { ...draft.facts, seen: now, contextMax: contextMax(frame, draft.facts.contextMax) };
  endStreams(draft);
  put(draft, undefined, {
    kind: 'turn-end',
    id: text(frame.uuid) ?? `result-${n}`,
    at,
    ...ending(frame),
    costUsd: cost.costUsd,
    outputTokens: cost.outputTokens,
    durationMs: number(frame.duration_ms),
  });
}

/** A CLI counts over its whole life; one that was started anew begins at nothing. */
function added(now: number, before: number): number {
  return now >= before ? now - before : now;
}

function runningTotals(result: WireObject): Draft['facts']['seen'] {
  const models = isObject(result.modelUsage) ? Object.values(result.modelUsage).filter(isObject) : [];
  const sum = (...keys: string[]) =>
    models.reduce((total, model) => total + keys.reduce((part, key) => part + number(model[key]), 0), 0);
  return {
    costUsd: number(result.total_cost_usd),
    inputTokens: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
    outputTokens: sum('outputTokens'),
  };
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
