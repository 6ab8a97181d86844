import { isObject, type WireObject } from '../frames.js';
import type { TurnEndItem } from './items.js';
import { readTokens } from './token-count.js';

/** The end of a turn. `is_error` counts, and the subtype too, because old CLIs set `is_error` to false there. */
export function readResult(result: WireObject, id: string): TurnEndItem {
  const { subtype, terminal_reason: reason, total_cost_usd: cost, duration_ms: duration } = result;
  const interrupted = typeof reason === 'string' && reason.startsWith('aborted');
  const isGood = subtype === 'success' && result.is_error !== true;
  return {
    kind: 'turn-end',
    id,
    agent: null,
    failed: !isGood && !interrupted,
    interrupted,
    text: isGood ? String(result.result ?? '') : failure(result),
    tokens: readTokens(result.usage),
    costUsd: typeof cost === 'number' ? cost : undefined,
    contextWindow: contextWindow(result.modelUsage),
    durationMs: typeof duration === 'number' ? duration : undefined,
    result,
  };
}

function failure({ errors, result, subtype }: WireObject): string {
  if (Array.isArray(errors) && errors.length > 0) return errors.map(String).join('\n');
  return typeof result === 'string' ? result : String(subtype);
}

function contextWindow(modelUsage: unknown): number | undefined {
  const models = isObject(modelUsage) ? Object.values(modelUsage).filter(isObject) : [];
  const sizes = models.map((model) => model.contextWindow).filter((size) => typeof size === 'number');
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}
