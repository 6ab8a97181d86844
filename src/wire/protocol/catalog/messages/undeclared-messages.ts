import { describeMessages } from '../entries.js';

/** Messages that no public declaration mentions. */
export const undeclaredMessages = describeMessages('cli', {
  transcript_mirror: {
    reach: 'offline',
    needs: '--session-mirror',
    about: 'Copies lines of the transcript file as they are written.',
  },
  autocompact_state: {
    reach: 'declared',
    about: 'Reports the state of automatic compaction.',
  },
  'system/post_turn_summary': {
    reach: 'declared',
    about: 'Summarises the turn that just ended.',
  },
  'system/task_summary': {
    reach: 'declared',
    about: 'Summarises a task.',
  },
  'system/session_metadata': {
    reach: 'declared',
    about: 'Describes the session for session lists.',
  },
  command_lifecycle: {
    reach: 'offline',
    about: 'Follows a user message by its uuid from queued to completed.',
    caution: 'Only messages that were sent with a uuid are followed.',
  },
  'system/session_title_changed': {
    reach: 'offline',
    about: 'Announces the new title of the session.',
  },
  sources_changed: {
    reach: 'declared',
    about: 'Announces that the sources of a hosted session changed.',
  },
  'system/checkpoint_done': {
    reach: 'declared',
    about: 'Tells a remote surface that a checkpoint was stored.',
  },
  permission_check_status: {
    reach: 'declared',
    about: 'Reports the state of a permission check to a remote surface.',
  },
  dev_intent: {
    reach: 'declared',
    about: 'Reports the kind of current work to a remote surface.',
  },
  'system/ui_invalidate': {
    reach: 'offline',
    about: 'Tells a host that draws the CLI’s panes to redraw them.',
  },
});
