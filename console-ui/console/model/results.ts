import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { traceLine } from '../../../src/wire/trace/format.js';
import { CostTotals, type TurnCost } from '../../shared/model/totals.js';
import { makeRow } from '../../shared/model/wire-row.js';
import { number, text } from './blocks.js';
import { type Draft, put } from './draft.js';
import type { WireLine } from './items.js';
import { endTurn } from './unfinished.js';

/** Folds the end of a turn: its cost, and why it failed if it did. */
export function foldResult(draft: Draft, line: WireLine): void {
  const { frame, at, n } = line;
  const cost = costOf(draft, line);
  if (cost !== undefined) draft.turns.push(cost);
  draft.facts = { ...draft.facts, contextMax: contextMax(frame, draft.facts.contextMax) };
  endTurn(draft);
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

function costOf({ turns, cutOff }: Draft, { n, at, from, frame }: WireLine): TurnCost | undefined {
  const totals = new CostTotals(turns.at(-1));
  totals.take(makeRow({ at: n, entry: traceLine({ kind: 'line', t: at, from, line: '', frame }) }, 0, at));
  const [cost] = totals.turns;
  // Older CLIs report the sum of all turns: if earlier ones are unknown, so is this one's share.
  const isUnknown = cutOff && turns.length === 0 && !isObject(frame.model_usage_since_last_result);
  return cost !== undefined && isUnknown ? { ...cost, costUsd: 0 } : cost;
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
