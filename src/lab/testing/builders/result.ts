import type { Message } from '../../../wire/protocol/catalog/types.js';
import { CALL_USAGE } from './assistant.js';
import { built, type Overrides } from './identity.js';

/** Subtypes of results that are not `success`. */
export type ErrorResultSubtype =
  | 'error_during_execution'
  | 'error_max_turns'
  | 'error_max_budget_usd'
  | 'error_max_structured_output_retries';

/** A result that ends a turn with success. */
export function resultSuccess(
  result = '',
  overrides?: Overrides<'result/success'>,
): Message<'result/success'> {
  return built<'result/success'>(
    { type: 'result', subtype: 'success', is_error: false, ...counts, num_turns: 1, result, ...sums },
    overrides,
  );
}

/** The result of a failed turn. Old CLIs send `is_error: false` here: override it for them. */
export function resultError<Subtype extends ErrorResultSubtype = 'error_during_execution'>(
  subtype?: Subtype,
  overrides?: Overrides<`result/${Subtype}`>,
): Message<`result/${Subtype}`>;
export function resultError(
  subtype: ErrorResultSubtype = 'error_during_execution',
  overrides?: Overrides<`result/${ErrorResultSubtype}`>,
): Message<`result/${ErrorResultSubtype}`> {
  return built<`result/${ErrorResultSubtype}`>(
    { type: 'result', subtype, is_error: true, ...counts, num_turns: 1, ...sums, errors: [] },
    overrides,
  );
}

const counts = { duration_ms: 40, duration_api_ms: 30 } as const;

const sums = {
  total_cost_usd: 0.0001,
  usage: {
    ...CALL_USAGE,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  },
  modelUsage: {},
  permission_denials: [],
} as const;
