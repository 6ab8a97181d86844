import type { Handlers } from '../asking/host-request.js';

/** Requests for the content of the CLI's own dialogs. */
export const dialogHandlers: Handlers = {
  get_memory_dialog: (request, { state }) => {
    const place = (kind: string, path: string) => ({
      kind,
      path,
      label: kind,
      description: path,
      exists: false,
    });
    request.succeed({
      files: [place('user', `${state.home}/.claude/CLAUDE.md`), place('project', `${state.cwd}/CLAUDE.md`)],
      folders: [],
      memories: [],
      auto_memory: { enabled: true, toggleable: true, status: 'on' },
      auto_dream: { shown: false, enabled: false, toggleable: true, status: 'off', detail: '' },
    });
  },
  get_skills_dialog: (request) => request.succeed({ skills: [] }),
  get_sandbox_dialog: (request) => request.succeed(NO_SANDBOX),
  get_chrome_dialog: (request) => request.succeed(NO_CHROME),
  get_chrome_browsers: (request) => request.refuse(NOT_CONNECTED),
  select_chrome_browser: (request) => request.refuse(NOT_CONNECTED),
  set_chrome_browser_hints: (request) => {
    request.refuse('set_chrome_browser_hints is only accepted in a remote-hosted session');
  },
};

const NOT_CONNECTED = 'Claude in Chrome is not connected in this session';

const NO_CHROME = {
  allowed: true,
  subscriber: false,
  wsl: false,
  installed: false,
  connected: false,
  enabled_by_default: false,
  at_startup: false,
  urls: { install: 'https://localhost/', reconnect: 'https://localhost/', permissions: 'https://localhost/' },
} as const;

const NO_SANDBOX = {
  supported: true,
  locked: false,
  overrides_locked: false,
  policy_origins: [],
  enabled: false,
  enabled_in_settings: false,
  mode: 'disabled',
  auto_allow_available: true,
  no_sandbox_allowed: true,
  unsandboxed_fallback: true,
  dependencies: { errors: [], warnings: [] },
  excluded_commands: [],
  restrictions: {
    fs_deny_read: [],
    fs_allow_read: [],
    fs_allow_write: [],
    fs_deny_write: [],
    network_allowed_domains: [],
    network_denied_domains: [],
    network_managed: false,
    unix_sockets: [],
    allow_all_unix_sockets: false,
    ignored_glob_patterns: [],
  },
} as const;
