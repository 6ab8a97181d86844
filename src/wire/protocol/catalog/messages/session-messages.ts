import { describeMessages, EVERY, LATEST, NEVER } from '../entries.js';

/** System messages about the session and its surroundings. */
export const sessionMessages = describeMessages('cli', {
  'system/init': {
    seen: EVERY,
    reach: 'offline',
    about: 'Introduces a turn with the session id, folder, tools, servers, model and mode.',
    caution: 'It never comes before the first user message, and it comes again with every turn.',
  },
  'system/status': {
    seen: EVERY,
    reach: 'offline',
    about: 'Tells what the CLI is busy with, or that the permission mode has changed.',
  },
  'system/compact_boundary': {
    seen: EVERY,
    reach: 'offline',
    about: 'Marks where the history before it was replaced by a summary.',
  },
  'system/local_command_output': {
    seen: NEVER,
    reach: 'declared',
    about: 'Carries what a command printed that ran without the model.',
  },
  'system/informational': {
    seen: LATEST,
    reach: 'offline',
    about: 'A remark to be shown to the user, such as a hook callback that failed.',
  },
  'system/notification': {
    seen: LATEST,
    reach: 'offline',
    about: 'A short notice with a priority, meant for a status line.',
  },
  'system/plugin_install': {
    seen: NEVER,
    reach: 'declared',
    about: 'Reports how the installation of a plugin goes.',
  },
  'system/session_state_changed': {
    seen: LATEST,
    reach: 'offline',
    needs: 'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS=1',
    about: 'Tells that the session went idle, started running or waits for somebody.',
  },
  'system/worker_shutting_down': {
    seen: NEVER,
    reach: 'declared',
    about: 'Announces that the process is about to end, and why.',
  },
  'system/commands_changed': {
    seen: LATEST,
    reach: 'offline',
    about: 'Replaces the list of slash commands.',
  },
  'system/files_persisted': {
    seen: NEVER,
    reach: 'declared',
    about: 'Lists files that were stored by the vendor’s service, and those that could not be.',
  },
  'system/memory_recall': {
    seen: NEVER,
    reach: 'declared',
    about: 'Names the memories that were put before the model.',
  },
  'system/elicitation_complete': {
    seen: LATEST,
    reach: 'offline',
    about: 'Tells that a server considers an address it had the user open as done with.',
  },
  'system/permission_denied': {
    seen: LATEST,
    reach: 'offline',
    about: 'Tells that a tool call was denied by rule or mode, without asking anybody.',
  },
  'system/mirror_error': {
    seen: NEVER,
    reach: 'declared',
    about: 'Made by the official SDK, not by the CLI: a copy of the transcript could not be stored.',
  },
  'system/session_writes_lost': {
    seen: NEVER,
    reach: 'declared',
    about: 'Tells that the disk was full and parts of the transcript are gone.',
  },
});
