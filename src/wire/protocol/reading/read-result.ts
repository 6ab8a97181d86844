import { asText } from '../../util/as-text.js';
import { isObject, type WireObject } from '../frames.js';
import type { TurnEndItem } from './items.js';
import { numberIn, readTokens } from './token-count.js';

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
    text: isGood ? asText(result.result ?? '') : failure(result),
    tokens: readTokens(result.usage),
    costUsd: typeof cost === 'number' ? cost : undefined,
    contextWindow: contextWindow(result.modelUsage),
    durationMs: typeof duration === 'number' ? duration : undefined,
    result,
  };
}

/**
 * What a result adds to the costs at the one before: newer CLIs say it. Older ones only have a total, which starts again
 * with each CLI unless that continues an earlier conversation.
 */
export function costSince(result: WireObject, before: number): number {
  const { model_usage_since_last_result: models, total_cost_usd: total } = result;
  if (isObject(models))
    return Object.values(models)
      .filter(isObject)
      .reduce((sum, model) => sum + numberIn(model, 'costUSD'), 0);
  if (typeof total !== 'number') return 0;
  return total >= before ? total - before : total;
}

function failure({ errors, result, subtype }: WireObject): string {
  if (Array.isArray(errors) && errors.length > 0) return errors.map(asText).join('\n');
  return typeof result === 'string' ? result : asText(subtype);
}

function contextWindow(modelUsage: unknown): number | undefined {
  const models = isObject(modelUsage) ? Object.values(modelUsage).filter(isObject) : [];
  const sizes = models.map((model) => model.contextWindow).filter((size) => typeof size === 'number');
  return sizes.length === 0 ? undefined : Math.max(...sizes);
}
