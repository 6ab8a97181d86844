import {
  acknowledge,
  interruptOld,
  setModelOld,
  setPermissionModeOld,
} from '../requests/conversation-requests.js';
import { rewind2073 } from '../requests/file-requests.js';
import { initialize2073 } from '../requests/initialize-requests.js';
import { mcpMessage, mcpSetServers2073, mcpStatusOld } from '../requests/mcp-requests.js';
import type { Personality } from '../requests/request-handler.js';

/** 2.0.73: nine requests, silence for all others. */
export const cli2073: Personality = {
  traits: {
    version: '2.0.73',
    fatalLines: new Set([
      'empty',
      'malformed',
      'null',
      'not-an-object',
      'unknown-type',
      'cancel',
      'request-without-body',
      'answer-without-body',
      'user-without-message',
      'environment',
    ]),
    unknownRequest: 'silent',
    mergesQueuedMessages: false,
    reportsLifecycle: false,
    detailed: false,
    errorResultsAreErrors: false,
    runsUnaskedTurns: false,
    updatedInputOptional: false,
    answersNeedQuestions: false,
    hookTimeout: 'proceeds',
    hookMayOnlyUpdateInput: false,
    hookMayForceAsking: false,
    firesPermissionHooks: false,
    earlyMcpHandshake: false,
    elicits: false,
    keepsAbortedText: false,
    bypassUnasked: true,
    replacesGivenServers: false,
    apiErrors: new Set(['unknown', 'authentication_failed', 'invalid_request']),
    models: {
      default: 'claude-sonnet-4-5-20250929',
      sonnet: 'claude-sonnet-4-5-20250929',
      opus: 'claude-opus-4-5-20251101',
      haiku: 'claude-haiku-4-5-20251001',
    },
  },
  handlers: {
    initialize: initialize2073,
    interrupt: interruptOld,
    set_permission_mode: setPermissionModeOld,
    set_model: setModelOld,
    set_max_thinking_tokens: acknowledge,
    mcp_status: mcpStatusOld,
    mcp_message: mcpMessage,
    mcp_set_servers: mcpSetServers2073,
    rewind_files: rewind2073,
  },
};
