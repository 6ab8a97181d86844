import * as z from 'zod';
import { mcpServerStatus } from '../shapes/mcp-shapes.schemas.js';
import { agentInfo, modelInfo, pluginInfo, slashCommand } from '../shapes/offers-shapes.schemas.js';
import { ack, anyObject, noParams, open, type RequestSchemas } from '../shapes/values-shapes.schemas.js';
import type { settingsRequests } from './setting-requests.js';

const hookEvent = z.looseObject({
  name: z.string(),
  summary: z.string(),
  supportsMatcher: z.boolean(),
  hookCount: z.number().optional(),
});

const hook = z.looseObject({
  event: z.string(),
  matcher: z.string().optional(),
  source: z.string(),
  sourceLabel: z.string().optional(),
  sourceDetail: z.string().optional(),
  type: z.string(),
  displayText: z.string().optional(),
  commandText: z.string().optional(),
  contentLabel: z.string().optional(),
  statusMessage: z.string().optional(),
  editable: anyObject.optional(),
  pluginName: z.string().optional(),
});

const permissionRule = z.looseObject({
  rule: z.string(),
  description: z
    .looseObject({ prefix: z.string(), emphasis: z.string().optional(), suffix: z.string().optional() })
    .optional(),
  source: open([
    'userSettings',
    'projectSettings',
    'localSettings',
    'flagSettings',
    'policySettings',
    'cliArg',
    'command',
    'session',
    'mcpMount',
    'toolsNarrowing',
    'mcpServerPolicy',
    'hostCredential',
  ]),
  editability: open(['persistent', 'session', 'readonly']).optional(),
  behavior: open(['allow', 'deny', 'ask']),
});

/** Schemas of the requests about settings and about what is loaded from disk. */
export const settingsSchemas = {
  apply_flag_settings: { params: z.looseObject({ settings: anyObject }), answer: ack },
  get_settings: {
    params: noParams,
    answer: z.looseObject({
      effective: anyObject,
      sources: z.array(z.looseObject({ source: z.string(), settings: anyObject })),
      applied: anyObject,
      errors: z.array(z.unknown()).optional(),
    }),
  },
  update_settings: {
    params: z.looseObject({
      source: z.enum(['localSettings', 'userSettings']),
      settings: anyObject,
    }),
    answer: ack,
  },
  get_hooks_listing: {
    params: noParams,
    answer: z.looseObject({
      events: z.array(hookEvent),
      hooks: z.array(hook),
      eventCatalog: z.array(hookEvent),
      policy: z.looseObject({
        disabledByPolicy: z.boolean(),
        managedOnly: z.boolean(),
        pluginOnly: z.boolean(),
        allDisabled: z.boolean(),
        policyHookCount: z.number(),
        policyUnreadable: z.boolean().optional(),
      }),
      safeMode: z.boolean().optional(),
      bareMode: z.boolean().optional(),
      errors: z.array(z.unknown()).optional(),
    }),
  },
  list_permission_rules: {
    params: noParams,
    answer: z.looseObject({
      state: z.looseObject({
        rules: z.array(permissionRule),
        workspaceDirectories: z.array(z.looseObject({ path: z.string(), source: z.string() })),
        originalCwd: z.string(),
        managedOnly: z.boolean(),
        errors: z.array(z.unknown()).optional(),
        withheld: z.unknown().optional(),
      }),
    }),
  },
  list_models: { params: noParams, answer: z.looseObject({ models: z.array(modelInfo) }) },
  reload_plugins: {
    params: z.looseObject({
      hold_on_cache_impact: z.boolean().optional(),
      add_plugins: z.array(z.unknown()).optional(),
      refuse_if_busy: z.boolean().optional(),
    }),
    answer: z.looseObject({
      commands: z.array(slashCommand),
      agents: z.array(agentInfo),
      plugins: z.array(pluginInfo),
      mcpServers: z.array(mcpServerStatus),
      error_count: z.number(),
      held: z.boolean().optional(),
      cache_impact: z
        .looseObject({
          mcp_servers_added: z.array(z.string()).optional(),
          mcp_servers_removed: z.array(z.string()).optional(),
          lsp_tool_change: z.unknown().optional(),
        })
        .optional(),
    }),
  },
  reload_skills: { params: noParams, answer: z.looseObject({ skills: z.array(slashCommand) }) },
  reload_output_styles: {
    params: noParams,
    answer: z.looseObject({ available_output_styles: z.array(z.string()) }),
  },
} satisfies RequestSchemas<keyof typeof settingsRequests>;
