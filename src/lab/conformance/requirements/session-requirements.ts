import type { Requirements } from '../requirement.js';

/** Resumed sessions, rewound files, and background work. */
export const sessionRequirements = {
  'resume:same-id': {
    behaviour: 'A resumed session keeps its id.',
  },
  'resume:nothing-repeated': {
    behaviour: 'Nothing of a resumed conversation is printed again.',
  },
  'resume:history': {
    behaviour: 'The model gets the history of a resumed conversation.',
  },
  'resume:fork': {
    behaviour: 'With `--fork-session` a resumed conversation gets a new id.',
  },
  'resume:continue': {
    behaviour: '`--continue` continues the newest conversation of the folder.',
  },
  'resume:unknown': {
    behaviour:
      'A session that does not exist ends the CLI with exit code 1, and `initialize` is not answered.',
  },
  'resume:unknown-told': {
    behaviour: 'A missing session is reported by a result on stdout.',
  },
  'resume:deferred-call': {
    behaviour:
      'A CLI that resumes asks about a single deferred call again, makes it once it is allowed, and continues the turn.',
  },
  'resume:after-kill': {
    behaviour: 'A session whose CLI is killed right after a result can be resumed.',
  },
  'resume:reply-after-kill': {
    behaviour: 'The last reply is not lost if the CLI is killed right after the result.',
  },
  'rewind:not-enabled': {
    behaviour: 'Without checkpoints `rewind_files` is refused.',
  },
  'rewind:restores': {
    behaviour: '`rewind_files` restores files to their state before a user message.',
  },
  'rewind:can-rewind': {
    behaviour: 'The answer to `rewind_files` says `canRewind`.',
  },
  'rewind:dry-run': {
    behaviour: 'A dry run lists what would change.',
  },
  'rewind:dry-run-harmless': {
    behaviour: 'A dry run changes nothing.',
  },
  'rewind:unknown-message': {
    behaviour: 'A message without a checkpoint is refused.',
  },
  'rewind:dry-run-unknown': {
    behaviour: 'A dry run for a message without a checkpoint succeeds and says that it cannot be done.',
  },
  'rewind:after-resume': {
    behaviour: 'Checkpoints can be used after a resume, before any turn.',
  },
  'task:started': {
    behaviour: 'Work that goes to the background is reported by `system/task_started`.',
  },
  'task:stopped': {
    behaviour: 'A stopped task is reported by `task_updated` and `task_notification` before the answer.',
  },
  'task:not-backgrounded': {
    behaviour: '`background_tasks` for a call that does not run says that nothing was moved.',
  },
  'task:unasked-turn': {
    behaviour: 'Background work that ends starts a turn that nobody asked for.',
  },
  'task:listed-until-told': {
    behaviour:
      'A task leaves `background_tasks_changed` only after `task_notification` has reported its end.',
  },
  'task:told-in-turn': {
    behaviour: 'A task that ends while a tool runs is reported by `task_notification` before the result.',
  },
  'task:heard-in-turn': {
    behaviour: 'The running turn hears of a task that ends while its tool runs; no turn of its own follows.',
  },
  'task:turn-after-reply': {
    behaviour: 'A task that ends during the last reply of a turn gets a turn of its own afterwards.',
  },
} as const satisfies Requirements;
