import { describeMessages, LATEST, NEVER } from '../entries.js';

/** Messages that no public declaration mentions. */
export const undeclaredMessages = describeMessages('cli', {
  transcript_mirror: {
    seen: LATEST,
    reach: 'offline',
    needs: '--session-mirror',
    about: 'Copies lines of the transcript file as they are written.',
  },
  autocompact_state: {
    seen: NEVER,
    reach: 'declared',
    about: 'Reports the state of automatic compaction.',
  },
  'system/post_turn_summary': {
    seen: NEVER,
    reach: 'declared',
    about: 'Summarises the turn that just ended.',
  },
  'system/task_summary': {
    seen: NEVER,
    reach: 'declared',
    about: 'Summarises a task.',
  },
  'system/session_metadata': {
    seen: NEVER,
    reach: 'declared',
    about: 'Describes the session for session lists.',
  },
  command_lifecycle: {
    seen: LATEST,
    reach: 'offline',
    about: 'Follows a user message by its uuid from queued to completed.',
    caution: 'Only messages that were sent with a uuid are followed.',
  },
  'system/session_title_changed': {
    seen: LATEST,
    reach: 'offline',
    about: 'Announces the new title of the session.',
  },
  sources_changed: {
    seen: NEVER,
    reach: 'declared',
    about: 'Announces that the sources of a hosted session changed.',
  },
  'system/checkpoint_done': {
    seen: NEVER,
    reach: 'declared',
    about: 'Tells a remote surface that a checkpoint was stored.',
  },
  permission_check_status: {
    seen: NEVER,
    reach: 'declared',
    about: 'Reports the state of a permission check to a remote surface.',
  },
  dev_intent: {
    seen: NEVER,
    reach: 'declared',
    about: 'Reports the kind of current work to a remote surface.',
  },
  'system/ui_invalidate': {
    seen: LATEST,
    reach: 'offline',
    about: 'Tells a host that draws the CLI’s panes to redraw them.',
  },
});
