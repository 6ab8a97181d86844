import { describeMessages } from '../entries.js';

/** System messages about background work. */
export const taskMessages = describeMessages('cli', {
  'system/task_started': {
    reach: 'offline',
    about: 'An agent or a longer command became a task with an id.',
  },
  'system/task_progress': {
    reach: 'offline',
    about: 'Reports what a running agent is doing, and its usage.',
  },
  'system/task_updated': {
    reach: 'offline',
    about: 'Updates the state of a task.',
  },
  'system/task_notification': {
    reach: 'offline',
    about: 'A task has completed, failed or was stopped.',
    caution: 'After a background task the CLI may start a turn that nobody asked for.',
  },
  'system/background_tasks_changed': {
    reach: 'offline',
    about: 'Replaces the list of background tasks.',
  },
});
