import type { Requirements } from '../requirement.js';

/** What requests of newer CLIs do beyond being served. */
export const newerRequestRequirements = {
  'file:outside': {
    behaviour: '`read_file` refuses a file outside of the working folder.',
  },
  'file:missing': {
    behaviour: '`read_file` refuses a file that is not there.',
  },
  'file:base64': {
    behaviour: '`read_file` gives the first bytes of a file in base64 when asked to.',
  },
  'settings:update-refused': {
    behaviour: '`update_settings` refuses keys that it is not made for.',
  },
  'settings:bad-flags': {
    behaviour: '`apply_flag_settings` refuses a known key of a wrong type.',
  },
  'settings:flags-effective': {
    behaviour: 'A rule of `apply_flag_settings` decides about the next tool call.',
  },
  'mcp-resource:other-scheme': {
    behaviour: '`mcp_read_resource` refuses an address that is no `ui://` one.',
  },
  'task:unknown-output': {
    behaviour: '`get_task_output` refuses a task that does not exist.',
  },
  'session:renamed': {
    behaviour: 'A new title is told by `system/session_title_changed`.',
  },
  'session:side-question': {
    behaviour: 'A side question is told to have begun before it is answered.',
  },
} as const satisfies Requirements;
