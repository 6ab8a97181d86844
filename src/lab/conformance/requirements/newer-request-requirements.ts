import type { Requirements } from '../requirement.js';

/** What the requests of newer CLIs do, beyond being served. */
export const newerRequestRequirements = {
  'file:outside': {
    behaviour: '`read_file` refuses a file outside of the working folder.',
  },
  'file:missing': {
    behaviour: '`read_file` refuses a missing file.',
  },
  'file:base64': {
    behaviour: '`read_file` returns the first bytes of a file in base64 on request.',
  },
  'settings:update-refused': {
    behaviour: '`update_settings` refuses keys that it does not support.',
  },
  'settings:bad-flags': {
    behaviour: '`apply_flag_settings` refuses a known key of a wrong type.',
  },
  'settings:flags-effective': {
    behaviour: 'A rule from `apply_flag_settings` applies to the next tool call.',
  },
  'mcp-resource:other-scheme': {
    behaviour: '`mcp_read_resource` refuses an address that is not `ui://`.',
  },
  'task:unknown-output': {
    behaviour: '`get_task_output` refuses a task that does not exist.',
  },
  'session:renamed': {
    behaviour: 'A new title is reported by `system/session_title_changed`.',
  },
  'session:side-question': {
    behaviour: 'The start of a side question is reported before its answer.',
  },
} as const satisfies Requirements;
