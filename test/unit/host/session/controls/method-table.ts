import type { Controls } from '../../../../../src/host/session/controls/controls.js';
import type { RequestOptions } from '../../../../../src/wire/peer/control-peer.js';
import type { HostRequestName } from '../../../../../src/wire/protocol/catalog/catalog.js';
import type { HostRequestParams } from '../../../../../src/wire/protocol/catalog/types.js';

/** One way to call a method, and the request that it must send. */
export interface MethodRow {
  /** The method below `session`. */
  readonly method: string;
  readonly subtype: HostRequestName;
  readonly params: object;
  readonly send: (controls: Controls, options: RequestOptions) => Promise<unknown>;
}

function row<Name extends HostRequestName>(
  method: string,
  subtype: Name,
  params: HostRequestParams<Name>,
  send: MethodRow['send'],
): MethodRow {
  return { method, subtype, params, send };
}

const anything = { any: 1 };
const file = { name: 'a', lane_path: 'b' };

/** Every control method at least once, with all its options. */
export const methodTable: readonly MethodRow[] = [
  row('setModel', 'set_model', { model: 'opus' }, (c, o) => c.setModel('opus', o)),
  row('setModel', 'set_model', { model: null }, (c, o) => c.setModel(null, o)),
  row('setModel', 'set_model', {}, (c, o) => c.setModel(undefined, o)),
  row('setPermissionMode', 'set_permission_mode', { mode: 'plan' }, (c, o) => c.setPermissionMode('plan', o)),
  row('setMaxThinkingTokens', 'set_max_thinking_tokens', { max_thinking_tokens: 4000 }, (c, o) =>
    c.setMaxThinkingTokens(4000, o),
  ),
  row(
    'setMaxThinkingTokens',
    'set_max_thinking_tokens',
    { max_thinking_tokens: null, thinking_display: 'omitted' },
    (c, o) => c.setMaxThinkingTokens(null, { ...o, display: 'omitted' }),
  ),
  row('rewind', 'rewind_files', { user_message_id: 'm' }, (c, o) => c.rewind('m', o)),
  row('rewind', 'rewind_files', { user_message_id: 'm' }, (c, o) => c.rewind('m', { ...o, dryRun: false })),
  row('rewind', 'rewind_files', { user_message_id: 'm', dry_run: true }, (c, o) =>
    c.rewind('m', { ...o, dryRun: true }),
  ),

  row('conversation.cancelMessage', 'cancel_async_message', { message_uuid: 'm' }, (c, o) =>
    c.conversation.cancelMessage('m', o),
  ),
  row('conversation.rename', 'rename_session', { title: 't' }, (c, o) => c.conversation.rename('t', o)),
  row('conversation.rename', 'rename_session', { title: 't', source: 'host', session_id: 's' }, (c, o) =>
    c.conversation.rename('t', { ...o, source: 'host', sessionId: 's' }),
  ),
  row('conversation.generateTitle', 'generate_session_title', { description: 'd', persist: true }, (c, o) =>
    c.conversation.generateTitle('d', { ...o, persist: true }),
  ),
  row(
    'conversation.sideQuestion',
    'side_question',
    { question: 'q', history: [{ question: 'p', response: 'r' }] },
    (c, o) => c.conversation.sideQuestion('q', { ...o, history: [{ question: 'p', response: 'r' }] }),
  ),
  row('conversation.export', 'export_conversation', {}, (c, o) => c.conversation.export(o)),
  row('conversation.fork', 'fork_conversation', {}, (c, o) => c.conversation.fork(o)),
  row('conversation.setHasSubscribers', 'set_has_subscribers', { has_subscribers: null }, (c, o) =>
    c.conversation.setHasSubscribers(null, o),
  ),
  row('conversation.setColor', 'set_color', { color: 'red' }, (c, o) => c.conversation.setColor('red', o)),
  row('conversation.pauseSuggestions', 'set_prompt_suggestions_paused', { paused: true }, (c, o) =>
    c.conversation.pauseSuggestions(true, o),
  ),

  row('mcp.status', 'mcp_status', {}, (c, o) => c.mcp.status(o)),
  row('mcp.call', 'mcp_call', { tool: 'mcp__x__y' }, (c, o) => c.mcp.call('mcp__x__y', undefined, o)),
  row(
    'mcp.call',
    'mcp_call',
    {
      tool: 'mcp__x__y',
      arguments: { a: 1 },
      timeout_ms: 5,
      expires_at: 6,
      check_permissions: true,
      result_not_for_model: true,
      input_files: [file],
      output_files: [file],
    },
    (c, o) =>
      c.mcp.call(
        'mcp__x__y',
        { a: 1 },
        {
          ...o,
          timeoutMs: 5,
          expiresAt: 6,
          checkPermissions: true,
          resultNotForModel: true,
          inputFiles: [file],
          outputFiles: [file],
        },
      ),
  ),
  row('mcp.readResource', 'mcp_read_resource', { serverName: 'x', uri: 'ui://y' }, (c, o) =>
    c.mcp.readResource('x', 'ui://y', o),
  ),
  row('mcp.setPermissionMode', 'set_mcp_permission_mode_override', { serverName: 'x', mode: null }, (c, o) =>
    c.mcp.setPermissionMode('x', null, o),
  ),
  row('mcp.enableChannel', 'channel_enable', { serverName: 'x' }, (c, o) => c.mcp.enableChannel('x', o)),
  row(
    'mcp.authenticate',
    'mcp_authenticate',
    { serverName: 'x', redirectUri: 'u', redirectUriOnly: true },
    (c, o) => c.mcp.authenticate('x', { ...o, redirectUri: 'u', redirectUriOnly: true }),
  ),
  row('mcp.submitCallbackUrl', 'mcp_oauth_callback_url', { serverName: 'x', callbackUrl: 'u' }, (c, o) =>
    c.mcp.submitCallbackUrl('x', 'u', o),
  ),
  row('mcp.clearAuth', 'mcp_clear_auth', { serverName: 'x' }, (c, o) => c.mcp.clearAuth('x', o)),

  row('tasks.background', 'background_tasks', {}, (c, o) => c.tasks.background(undefined, o)),
  row('tasks.background', 'background_tasks', { tool_use_id: 't' }, (c, o) => c.tasks.background('t', o)),
  row('tasks.stop', 'stop_task', { task_id: 't' }, (c, o) => c.tasks.stop('t', o)),
  row('tasks.output', 'get_task_output', { task_id: 't' }, (c, o) => c.tasks.output('t', o)),
  row('tasks.ultrareview', 'ultrareview_launch', { args: 'a', confirm: false }, (c, o) =>
    c.tasks.ultrareview('a', o),
  ),
  row('tasks.ultrareview', 'ultrareview_launch', { args: 'a', confirm: true }, (c, o) =>
    c.tasks.ultrareview('a', { ...o, confirm: true }),
  ),

  row('files.read', 'read_file', { path: 'p' }, (c, o) => c.files.read('p', o)),
  row(
    'files.read',
    'read_file',
    { path: 'p', max_bytes: 1, encoding: 'base64', offset: 2, anchor: 'a' },
    (c, o) => c.files.read('p', { ...o, maxBytes: 1, encoding: 'base64', offset: 2, anchor: 'a' }),
  ),
  row('files.suggestions', 'file_suggestions', { query: '' }, (c, o) => c.files.suggestions('', o)),
  row('files.seedReadState', 'seed_read_state', { path: 'p', mtime: 1 }, (c, o) =>
    c.files.seedReadState('p', 1, o),
  ),
  row(
    'files.registerRepo',
    'register_repo_root',
    { directory: 'd', reload_claude_md: true, reload_plugins: false, reload_skills: true },
    (c, o) =>
      c.files.registerRepo('d', { ...o, reloadClaudeMd: true, reloadPlugins: false, reloadSkills: true }),
  ),
  row('files.setCwd', 'set_cwd', { path: 'p', trust_accepted: true, trusted_directory: 'd' }, (c, o) =>
    c.files.setCwd('p', { ...o, trustAccepted: true, trustedDirectory: 'd' }),
  ),
  row('files.workspaceDiff', 'get_workspace_diff', {}, (c, o) => c.files.workspaceDiff(o)),

  row('settings.get', 'get_settings', {}, (c, o) => c.settings.get(o)),
  row('settings.apply', 'apply_flag_settings', { settings: { model: null } }, (c, o) =>
    c.settings.apply({ model: null }, o),
  ),
  row(
    'settings.update',
    'update_settings',
    { source: 'userSettings', settings: { effortLevel: 'high' } },
    (c, o) => c.settings.update('userSettings', { effortLevel: 'high' }, o),
  ),
  row('settings.permissionRules', 'list_permission_rules', {}, (c, o) => c.settings.permissionRules(o)),
  row('settings.hooks', 'get_hooks_listing', {}, (c, o) => c.settings.hooks(o)),
  row('settings.models', 'list_models', {}, (c, o) => c.settings.models(o)),
  row(
    'settings.reloadPlugins',
    'reload_plugins',
    { add_plugins: ['p'], hold_on_cache_impact: true, refuse_if_busy: false },
    (c, o) =>
      c.settings.reloadPlugins({ ...o, addPlugins: ['p'], holdOnCacheImpact: true, refuseIfBusy: false }),
  ),
  row('settings.reloadSkills', 'reload_skills', {}, (c, o) => c.settings.reloadSkills(o)),
  row('settings.reloadOutputStyles', 'reload_output_styles', {}, (c, o) => c.settings.reloadOutputStyles(o)),

  row('reports.contextUsage', 'get_context_usage', { detail: 'summary' }, (c, o) =>
    c.reports.contextUsage({ ...o, detail: 'summary' }),
  ),
  row('reports.usage', 'get_usage', { skip_behaviors: true }, (c, o) =>
    c.reports.usage({ ...o, skipBehaviors: true }),
  ),
  row('reports.cost', 'get_session_cost', {}, (c, o) => c.reports.cost(o)),
  row('reports.binaryVersion', 'get_binary_version', {}, (c, o) => c.reports.binaryVersion(o)),
  row('reports.status', 'get_status', {}, (c, o) => c.reports.status(o)),
  row('reports.plan', 'get_plan', {}, (c, o) => c.reports.plan(o)),

  row('dialogs.memory', 'get_memory_dialog', {}, (c, o) => c.dialogs.memory(o)),
  row('dialogs.skills', 'get_skills_dialog', {}, (c, o) => c.dialogs.skills(o)),
  row('dialogs.sandbox', 'get_sandbox_dialog', {}, (c, o) => c.dialogs.sandbox(o)),

  row('chrome.dialog', 'get_chrome_dialog', {}, (c, o) => c.chrome.dialog(o)),
  row('chrome.browsers', 'get_chrome_browsers', {}, (c, o) => c.chrome.browsers(o)),
  row('chrome.selectBrowser', 'select_chrome_browser', { device_id: 'd' }, (c, o) =>
    c.chrome.selectBrowser('d', o),
  ),
  row('chrome.setBrowserHints', 'set_chrome_browser_hints', anything, (c, o) =>
    c.chrome.setBrowserHints(anything, o),
  ),

  row('account.beginLogin', 'claude_authenticate', { loginWithClaudeAi: true, consoleProfile: 'p' }, (c, o) =>
    c.account.beginLogin({ ...o, loginWithClaudeAi: true, consoleProfile: 'p' }),
  ),
  row('account.completeLogin', 'claude_oauth_callback', { authorizationCode: 'a', state: 's' }, (c, o) =>
    c.account.completeLogin('a', 's', o),
  ),
  row('account.waitForLogin', 'claude_oauth_wait_for_completion', {}, (c, o) => c.account.waitForLogin(o)),
  row(
    'account.remoteControl',
    'remote_control',
    { enabled: true, name: 'n', reattach_session_id: 's', keep_session_on_exit: true, work_secret: 'w' },
    (c, o) =>
      c.account.remoteControl(true, {
        ...o,
        name: 'n',
        reattachSessionId: 's',
        keepSessionOnExit: true,
        workSecret: 'w',
      }),
  ),
  row(
    'account.submitFeedback',
    'submit_feedback',
    {
      description: 'd',
      title: 't',
      type: 'y',
      area: 'a',
      surface: 's',
      draft_id: 'i',
      attach_transcript: false,
      save_locally: true,
    },
    (c, o) =>
      c.account.submitFeedback('d', {
        ...o,
        title: 't',
        type: 'y',
        area: 'a',
        surface: 's',
        draftId: 'i',
        attachTranscript: false,
        saveLocally: true,
      }),
  ),
  row('account.submitSurvey', 'submit_survey_feedback', anything, (c, o) =>
    c.account.submitSurvey(anything, o),
  ),
  row(
    'account.rateMessage',
    'message_rated',
    { messageUuid: 'm', sentiment: 'positive', surface: 'assistant_text', cleared: false },
    (c, o) => c.account.rateMessage('m', { sentiment: 'positive', surface: 'assistant_text' }, o),
  ),
];
