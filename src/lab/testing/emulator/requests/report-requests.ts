import type { WireObject } from '../../../../wire/protocol/frames.js';
import { CALL_USAGE } from '../../builders/assistant.js';
import type { Handlers } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import { resolvedModel } from '../cli.js';
import { modelUsage } from '../turns/result-details.js';
import { OF_2_1_326 } from '../versions/traits.js';

/** Requests that only report. */
export const reportHandlers: Handlers = {
  get_context_usage: (request, cli) => request.succeed(contextUsage(cli)),
  get_usage: (request, cli) => {
    const session = {
      total_cost_usd: cli.state.totalCost,
      total_api_duration_ms: 0,
      total_duration_ms: Math.round(cli.clock.now()),
      total_lines_added: 0,
      total_lines_removed: 0,
      model_usage: modelUsage(cli, cli.state.calls),
    };
    const limits = {
      subscription_type: null,
      rate_limits_available: false,
      rate_limits: null,
      behaviors: null,
    };
    request.succeed({ session, ...limits });
  },
  get_session_cost: (request, { state }) => {
    request.succeed({ text: `Total cost: $${state.totalCost.toFixed(4)}` });
  },
  get_binary_version: (request, { traits }) => {
    const oldest = traits.hasCapability(OF_2_1_326) ? { oldestDesktopSdk: '0.3.280' } : {};
    request.succeed({ version: traits.version, buildTime: '2026-01-01T00:00:00Z', ...oldest });
  },
  get_status: (request, { traits, state }) => {
    request.succeed({
      sections: [
        { title: 'Session', rows: [{ label: 'Version', value: traits.version }] },
        { title: 'Environment', rows: [{ label: 'Model', value: state.model }] },
      ],
    });
  },
  get_plan: (request) => request.succeed({ exists: false }),
};

const NO_MESSAGES = {
  toolCallTokens: 0,
  toolResultTokens: 0,
  attachmentTokens: 0,
  assistantMessageTokens: 0,
  userMessageTokens: 0,
  redirectedContextTokens: 0,
  unattributedTokens: 0,
  toolCallsByType: [],
  attachmentsByType: [],
} as const;

function contextUsage(cli: Cli): WireObject {
  const window = 1_000_000;
  const used = {
    id: 'system_prompt',
    name: 'System prompt',
    tokens: 80,
    color: 'promptBorder',
    kind: 'used',
  };
  const free = {
    id: 'free_space',
    name: 'Free space',
    tokens: window - 80,
    color: 'promptBorder',
    kind: 'free',
  };
  return {
    categories: [used, free],
    totalTokens: used.tokens,
    maxTokens: window,
    rawMaxTokens: window,
    autocompactSource: 'model-default',
    percentage: 0,
    gridRows: [],
    model: resolvedModel(cli),
    memoryFiles: [],
    mcpTools: [],
    mcpInstructions: [],
    agents: [],
    slashCommands: { totalCommands: 1, includedCommands: 1, tokens: 10 },
    skills: { totalSkills: 0, includedSkills: 0, tokens: 0, skillFrontmatter: [] },
    autoCompactThreshold: 900_000,
    isAutoCompactEnabled: true,
    messageBreakdown: NO_MESSAGES,
    apiUsage: cli.state.results === 0 ? null : CALL_USAGE,
  };
}
