import {
  acknowledge,
  interruptNew,
  setModelNew,
  setPermissionModeNew,
} from '../requests/conversation-requests.js';
import { dialogHandlers } from '../requests/dialog-requests.js';
import { fileHandlers, rewindFrom2117 } from '../requests/file-requests.js';
import { initialize21325 } from '../requests/initialize-requests.js';
import {
  mcpCall,
  mcpMessage,
  mcpModeOverride,
  mcpReadResource,
  mcpReconnect21325,
  mcpSetServers21325,
  mcpStatusNew,
  mcpToggle21325,
} from '../requests/mcp-requests.js';
import { reportHandlers } from '../requests/report-requests.js';
import type { Personality } from '../requests/request-handler.js';
import { accountHandlers, sessionHandlers, taskHandlers } from '../requests/session-requests.js';
import { settingsHandlers } from '../requests/setting-requests.js';

/** 2.1.325: answers everything, merges what waits, and tells more. */
export const cli21325: Personality = {
  traits: {
    version: '2.1.325',
    fatalLines: new Set(['malformed', 'null', 'request-without-body', 'user-without-message']),
    unknownRequest: 'refused',
    mergesQueuedMessages: true,
    reportsLifecycle: true,
    detailed: true,
    errorResultsAreErrors: true,
    runsUnaskedTurns: true,
    updatedInputOptional: true,
    answersNeedQuestions: true,
    hookTimeout: 'blocks',
    hookMayOnlyUpdateInput: true,
    hookMayForceAsking: true,
    firesPermissionHooks: true,
    earlyMcpHandshake: true,
    elicits: true,
    keepsAbortedText: true,
    bypassUnasked: false,
    replacesGivenServers: true,
    apiErrors: new Set([
      'unknown',
      'authentication_failed',
      'invalid_request',
      'server_error',
      'rate_limit',
      'model_not_found',
      'max_output_tokens',
      'overloaded',
      'billing_error',
    ]),
    models: {
      default: 'claude-opus-5-5',
      opus: 'claude-opus-5-5',
      sonnet: 'claude-sonnet-5-5',
      haiku: 'claude-haiku-5-5',
    },
  },
  handlers: {
    ...sessionHandlers,
    ...taskHandlers,
    ...settingsHandlers,
    ...fileHandlers,
    ...reportHandlers,
    ...dialogHandlers,
    ...accountHandlers,
    initialize: initialize21325,
    interrupt: interruptNew,
    set_permission_mode: setPermissionModeNew,
    set_model: setModelNew,
    set_max_thinking_tokens: acknowledge,
    mcp_status: mcpStatusNew,
    mcp_message: mcpMessage,
    mcp_set_servers: mcpSetServers21325,
    mcp_reconnect: mcpReconnect21325,
    mcp_toggle: mcpToggle21325,
    mcp_call: mcpCall,
    mcp_read_resource: mcpReadResource,
    set_mcp_permission_mode_override: mcpModeOverride,
    rewind_files: rewindFrom2117({ skippedLinks: 0 }),
  },
};
