import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Handlers } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import { resolvedModel } from '../cli.js';
import { agentList, newModels, slashCommands } from './offers.js';

/** Requests about settings and about content loaded from disk. */
export const settingsHandlers: Handlers = {
  get_settings: (request, cli) => request.succeed(settingsOf(cli)),
  apply_flag_settings: (request, { state, traits }) => {
    const { settings } = request.body;
    if (!isObject(settings) || (traits.checksFlagSettings && !isPlausible(settings))) {
      request.refuse(
        'apply_flag_settings: nothing in this request was applied: a known key has a wrong type',
      );
      return;
    }
    for (const [key, value] of Object.entries(settings)) applyKey(state.settings, key, value);
    request.succeed();
  },
  update_settings: (request, { state, traits }) => {
    const { source, settings } = request.body;
    if (!isObject(settings)) {
      request.refuse(`update_settings requires \`settings\` to be an object, got ${typeof settings}`);
      return;
    }
    if (source === 'userSettings' && !traits.updatesUserSettings) {
      request.refuse(`update_settings: unsupported source ${source}`);
      return;
    }
    if (!state.settingSources.includes(String(source).replace('Settings', ''))) {
      request.refuse(
        `update_settings: the ${source} source is disabled for this session (--setting-sources)`,
      );
      return;
    }
    const refused = Object.keys(settings).filter((key) => key !== 'effortLevel' && key !== 'outputStyle');
    if (refused.length > 0) request.refuse(`update_settings keys not allowed: ${refused.join(', ')}`);
    else request.succeed({});
  },
  get_hooks_listing: (request) => {
    const policy = {
      disabledByPolicy: false,
      managedOnly: false,
      pluginOnly: false,
      allDisabled: false,
      policyHookCount: 0,
    };
    request.succeed({ events: [], hooks: [], eventCatalog: HOOK_EVENTS, policy });
  },
  list_permission_rules: (request, { state }) => {
    request.succeed({
      state: { rules: [], workspaceDirectories: [], originalCwd: state.cwd, managedOnly: false },
    });
  },
  list_models: (request) => request.succeed({ models: newModels }),
  reload_plugins: (request, cli) => {
    request.succeed({
      commands: slashCommands,
      agents: agentList(cli),
      plugins: [],
      mcpServers: [],
      error_count: 0,
    });
  },
  reload_skills: (request) => request.succeed({ skills: [] }),
  reload_output_styles: (request) => {
    request.succeed({ available_output_styles: ['default', 'Explanatory', 'Learning'] });
  },
};

const HOOK_EVENTS = ['PreToolUse', 'PostToolUse', 'Stop'].map((name) => ({
  name,
  summary: `When ${name} fires`,
  supportsMatcher: name !== 'Stop',
}));

function settingsOf(cli: Cli): WireObject {
  const { settings } = cli.state;
  const given = Object.keys(settings).length > 0;
  return {
    effective: settings,
    sources: given ? [{ source: 'flagSettings', settings }] : [],
    applied: {
      model: resolvedModel(cli),
      effort: 'medium',
      advisor: null,
      ultracode: false,
      ultracodeRequested: false,
      ultracodeAvailable: true,
      ultrathinkAvailable: false,
      outsideFileToolReadsBlocked: false,
      outsideFileToolWritesBlocked: false,
      outsideBlocksCountLaunchFoldersOnly: false,
      launchEnvLeftOwnFilesInPlace: true,
    },
  };
}

/** A known key with an invalid type refuses the whole request; unknown keys are accepted. */
function isPlausible({ permissions, model, env }: WireObject): boolean {
  return (
    (permissions === undefined || permissions === null || isObject(permissions)) &&
    (model === undefined || model === null || typeof model === 'string') &&
    (env === undefined || env === null || isObject(env))
  );
}

function applyKey(settings: Record<string, unknown>, key: string, value: unknown): void {
  if (value === null) delete settings[key];
  else settings[key] = value;
}
