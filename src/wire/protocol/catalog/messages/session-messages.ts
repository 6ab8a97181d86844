import { describeMessages } from '../entries.js';

/** System messages about the session and its surroundings. */
export const sessionMessages = describeMessages('cli', {
  'system/init': {
    reach: 'offline',
    about: 'Starts a turn and lists the session id, folder, tools, servers, model and mode.',
    caution: 'It never comes before the first user message, and it is repeated with every turn.',
  },
  'system/status': {
    reach: 'offline',
    about: 'Reports what the CLI is doing, or a change of the permission mode.',
  },
  'system/compact_boundary': {
    reach: 'offline',
    about: 'Marks the point before which the history was replaced by a summary.',
  },
  'system/local_command_output': {
    reach: 'declared',
    about: 'Carries the output of a command that ran without the model.',
  },
  'system/informational': {
    reach: 'offline',
    about: 'A note for the user, such as a failed hook callback.',
  },
  'system/notification': {
    reach: 'offline',
    about: 'A short notice with a priority, meant for a status line.',
  },
  'system/plugin_install': {
    reach: 'declared',
    about: 'Reports progress of a plugin installation.',
  },
  'system/session_state_changed': {
    reach: 'offline',
    needs: 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1',
    about: 'Reports that the session is idle, running, or waiting for an answer.',
  },
  'system/worker_shutting_down': {
    reach: 'declared',
    about: 'Announces that the process is about to exit, and why.',
  },
  'system/commands_changed': {
    reach: 'offline',
    about: 'Replaces the list of slash commands.',
  },
  'system/files_persisted': {
    reach: 'declared',
    about: 'Lists files that the vendor’s service stored, and those that it could not store.',
  },
  'system/memory_recall': {
    reach: 'declared',
    about: 'Lists the memories that were given to the model.',
  },
  'system/elicitation_complete': {
    reach: 'offline',
    about: 'Reports that an MCP server is done with an address that it asked the user to open.',
  },
  'system/permission_denied': {
    reach: 'offline',
    about: 'Reports that a rule or mode denied a tool call without a prompt.',
  },
  'system/mirror_error': {
    reach: 'declared',
    about: 'Sent by the official SDK, not by the CLI: a copy of the transcript could not be stored.',
  },
  'system/session_writes_lost': {
    reach: 'declared',
    about: 'Reports that the disk was full and parts of the transcript are lost.',
  },
});
