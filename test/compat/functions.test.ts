import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { differential } from './harness/differential.js';
import type { Program, Sdk } from './harness/program.js';
import type { Stage } from './harness/stage.js';

const { constants, functions, classes } = JSON.parse(
  readFileSync(new URL('./official-surface.json', import.meta.url), 'utf8'),
) as Record<'constants' | 'functions' | 'classes', readonly string[]>;

/** A function that needs no CLI. */
function calls(name: string, run: (sdk: Sdk, stage: Stage) => unknown): Program {
  return { name, run: (sdk, stage) => stage.outcome('came to', run(sdk, stage)) };
}

/** Settings files of a project. */
function settings(stage: Stage, files: Readonly<Record<string, unknown>>): string {
  mkdirSync(join(stage.folder, '.claude'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(
      join(stage.folder, '.claude', name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return stage.folder;
}

const PROJECT = {
  'settings.json': {
    model: 'opus',
    permissions: { allow: ['Read'], defaultMode: 'acceptEdits' },
    env: { A: '1' },
  },
  'settings.local.json': {
    model: 'haiku',
    permissions: { allow: ['Bash(ls)'], deny: ['WebFetch'] },
    env: { B: '2' },
  },
};
// Without the user's own settings: those belong to the machine, not to the test.
const OF_PROJECT = { settingSources: ['project', 'local'] };

function resolveManaged(sdk: Sdk, managedSettings: unknown): unknown {
  return sdk.resolveSettings({ settingSources: [], managedSettings });
}

/** Every boolean key, at each of its places. */
function switches(on: boolean): Record<string, unknown> {
  const each = (value: boolean, names: string) =>
    Object.fromEntries(names.split(' ').map((name) => [name, value]));
  return {
    ...each(on, 'disableAgentView disableRemoteControl disableWorkflows disableArtifact'),
    ...each(on, 'disableSkillShellExecution disableWindowsBashCommandSplit disableCommandPluginSources'),
    ...each(
      on,
      'disableSideloadFlags disableClaudeAiConnectors enforceAvailableModels allowManagedHooksOnly',
    ),
    ...each(on, 'allowManagedPermissionRulesOnly allowManagedMcpServersOnly strictPluginOnlyCustomization'),
    ...each(!on, 'syncClaudeAiSkills syncClaudeAiPlugins enableArtifact enableWorkflows'),
    permissions: each(on, 'blockReadsOutsideWorkingDirectories blockWritesOutsideWorkingDirectories'),
    sandbox: {
      ...each(on, 'enabled failIfUnavailable'),
      ...each(!on, 'autoAllowBashIfSandboxed allowUnsandboxedCommands enableWeakerNestedSandbox'),
      ...each(!on, 'allowNestedUserNamespaces enableWeakerNetworkIsolation allowAppleEvents'),
      network: {
        ...each(on, 'strictAllowlist allowManagedDomainsOnly'),
        ...each(!on, 'allowAllUnixSockets allowLocalBinding'),
      },
      filesystem: { ...each(on, 'allowManagedReadPathsOnly'), ...each(!on, 'disabled') },
    },
  };
}

const TAKES_AWAY = {
  ...switches(true),
  availableModels: ['sonnet'],
  deniedModels: ['opus'],
  allowedMcpServers: [{ serverName: 'a' }],
  deniedMcpServers: [{ serverName: 'b' }],
  strictKnownMarketplaces: [{ source: 'github', repo: 'a/b' }],
  blockedMarketplaces: [{ source: 'github', repo: 'c/d' }],
  allowedHttpHookUrls: [],
  disableAutoMode: 'disable',
};
const GIVES = {
  ...switches(false),
  ...{ model: 'opus', env: { A: '1' }, hooks: {}, enabledPlugins: { a: true }, apiKeyHelper: 'x' },
  ...{ deniedModels: [], blockedMarketplaces: [], allowedHttpHookUrls: ['https://a.b/*'] },
};

differential([
  calls('the constants are the same', (sdk) => constants.map((name) => [name, sdk[name]])),
  calls('the functions and classes exist', (sdk) =>
    [...functions, ...classes].map((name) => [name, typeof sdk[name]]),
  ),
  calls('an AbortError has the given message', (sdk) => {
    const error = new sdk.AbortError('enough');
    return [error.message, error instanceof Error, error instanceof sdk.AbortError];
  }),
  calls('settings of a project are resolved', (sdk, stage) =>
    sdk.resolveSettings({ cwd: settings(stage, PROJECT), ...OF_PROJECT }),
  ),
  calls('settings of one source are resolved', (sdk, stage) =>
    sdk.resolveSettings({ cwd: settings(stage, PROJECT), settingSources: ['local'] }),
  ),
  calls('settings of no source are resolved', (sdk, stage) =>
    sdk.resolveSettings({ cwd: settings(stage, PROJECT), settingSources: [] }),
  ),
  calls('a settings file that is not JSON is ignored', (sdk, stage) =>
    sdk.resolveSettings({ cwd: settings(stage, { 'settings.json': '{"model":' }), ...OF_PROJECT }),
  ),
  calls('managed settings can only restrict', (sdk, stage) =>
    sdk.resolveSettings({
      cwd: settings(stage, PROJECT),
      ...OF_PROJECT,
      managedSettings: { permissions: { deny: ['Bash'] }, model: 'sonnet' },
    }),
  ),
  calls('managed settings that remove rights are kept', (sdk) => resolveManaged(sdk, TAKES_AWAY)),
  calls('managed settings with two names are kept under one', (sdk) =>
    resolveManaged(sdk, { disableAllHooks: true, allowedMarketplaces: [] }),
  ),
  calls('managed settings that grant rights are left out', (sdk) => resolveManaged(sdk, GIVES)),
  {
    ...calls('a settings file has a value of the wrong kind', (sdk, stage) =>
      sdk.resolveSettings({ cwd: settings(stage, { 'settings.json': { model: 5 } }), ...OF_PROJECT }),
    ),
    accepts: ['settings-unchecked'],
  },
  calls('a settings file may begin with a byte order mark', (sdk, stage) =>
    sdk.resolveSettings({
      cwd: settings(stage, { 'settings.json': '\uFEFF{"model":"opus"}' }),
      ...OF_PROJECT,
    }),
  ),
  calls('server-managed settings are passed on', (sdk, stage) =>
    sdk.resolveSettings({
      cwd: settings(stage, PROJECT),
      ...OF_PROJECT,
      serverManagedSettings: { model: 'sonnet' },
    }),
  ),
  calls('a mode that a project may not set is removed', async (sdk, stage) =>
    sdk.filterEscalatingDefaultMode(
      await sdk.resolveSettings({ cwd: settings(stage, PROJECT), ...OF_PROJECT }),
    ),
  ),
  calls('a mode that the user sets locally stays', async (sdk, stage) => {
    const files = { 'settings.local.json': { permissions: { defaultMode: 'acceptEdits' } } };
    return sdk.filterEscalatingDefaultMode(
      await sdk.resolveSettings({ cwd: settings(stage, files), ...OF_PROJECT }),
    );
  }),
  calls('a mode that does not escalate stays', async (sdk, stage) => {
    const files = { 'settings.json': { permissions: { defaultMode: 'plan' } } };
    return sdk.filterEscalatingDefaultMode(
      await sdk.resolveSettings({ cwd: settings(stage, files), ...OF_PROJECT }),
    );
  }),
  calls('denied models are found', (sdk) =>
    sdk.matchDeniedModels(['claude-opus-5-5', 'claude-haiku-5-5', 'opus'], ['claude-opus-5-5']),
  ),
  calls('without a list no model is denied', (sdk) => sdk.matchDeniedModels(['claude-opus-5-5'], undefined)),
  calls('a tool has its given fields', (sdk) => {
    const made = sdk.tool('name', 'what it does', {}, async () => ({ content: [] }), {
      annotations: { readOnlyHint: true },
    });
    const { handler, inputSchema, ...rest } = made;
    return [typeof handler, inputSchema, rest];
  }),
  calls('a tool server describes itself', (sdk) => {
    const { instance, ...rest } = sdk.createSdkMcpServer({ name: 'clock', version: '2.0.0', timeout: 5000 });
    return [typeof instance, typeof instance.connect, rest];
  }),
]);
