import type { WireObject } from '../../../../wire/protocol/frames.js';
import { CALL_USAGE } from '../../builders/assistant.js';
import type { Traits } from '../versions/traits.js';

/** The usage of a result, for so many calls of the model, in the shape of the version that is played. */
export function resultUsage({ detailed }: Traits, calls: number): WireObject {
  return {
    ...CALL_USAGE,
    input_tokens: 12 * calls,
    output_tokens: 7 * calls,
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    ...(detailed ? NEWER : {}),
  };
}

const NEWER = {
  output_tokens_details: { thinking_tokens: 0 },
  inference_geo: '',
  iterations: [],
  speed: 'standard',
  fallback_credit: null,
} as const;

/** What newer CLIs add to the usage of a message they made by themselves. */
export const SYNTHETIC_USAGE: WireObject = {
  output_tokens_details: null,
  inference_geo: null,
  iterations: null,
  speed: null,
  fallback_credit: null,
};
