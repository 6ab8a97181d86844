import type { WireObject } from '../../../wire/protocol/frames.js';
import type { ClaimOptions } from '../types/query-types.js';

/** What a claim sends, in this order. */
export interface ClaimRequests {
  /** Settings that determine what the claim starts. */
  readonly ahead: readonly WireObject[];
  readonly claim: WireObject;
  /** What the session can run without: the option, and its request. */
  readonly others: readonly (readonly [option: string, subtype: string, params: WireObject])[];
  /** Settings that take effect before the prompt. */
  readonly behind: readonly WireObject[];
}

/** Settings that are applied once the session has its folder. */
const BEHIND = new Set(['model', 'agent', 'fastMode', 'permissions', 'availableModels', 'disableAutoMode']);

/** Settings that can only take effect from the start. */
const OF_HOOKS = [
  'hooks',
  'disableAllHooks',
  'allowManagedHooksOnly',
  'allowedHttpHookUrls',
  'httpHookAllowedEnvVars',
];

/**
 * The request that binds a waiting CLI to a session.
 * @throws Error for settings that govern hooks; nothing is sent then.
 */
export function claimRequests(options: ClaimOptions, servers: unknown): ClaimRequests {
  const { settings = {}, model, maxThinkingTokens } = options;
  const late = OF_HOOKS.filter((key) => Object.hasOwn(settings, key));
  if (late.length > 0)
    throw new Error(
      `SpareProcess.claim(): hook settings (${late.join(', ')}) cannot be applied at claim; pass them to prewarm() in Options.settings. Nothing was sent: this spare can still be claimed without them.`,
    );
  const entries = Object.entries(settings);
  return {
    ahead: overlay(entries.filter(([key]) => !BEHIND.has(key))),
    claim: given({
      cwd: options.cwd,
      permission_mode: options.permissionMode,
      env: options.env,
      additional_directories: options.additionalDirectories,
      append_system_prompt: options.appendSystemPrompt,
      title: options.title,
      agents: options.agents,
      sdk_mcp_servers: servers ?? [],
      include_initialize: true,
    }),
    behind: overlay(entries.filter(([key]) => BEHIND.has(key))),
    others: [
      ...(model === undefined ? [] : [['model', 'set_model', { model }] as const]),
      ...(maxThinkingTokens === undefined
        ? []
        : [
            [
              'maxThinkingTokens',
              'set_max_thinking_tokens',
              { max_thinking_tokens: maxThinkingTokens },
            ] as const,
          ]),
    ],
  };
}

function overlay(entries: readonly (readonly [string, unknown])[]): readonly WireObject[] {
  return entries.length === 0 ? [] : [Object.fromEntries(entries)];
}

function given(params: WireObject): WireObject {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
