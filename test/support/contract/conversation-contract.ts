import { describe } from 'vitest';
import { budgets, crashes, limits, restarts } from './ends.js';
import { deletion, exporting, schedules, settings, worktrees } from './keeping.js';
import { busy, messages, states } from './messages.js';
import { prompts } from './prompts.js';
import { type Promised, promisesOf, type WayIn } from './way-in.js';

const subjects: Readonly<Record<string, (promised: Promised) => void>> = {
  states,
  messages,
  'messages while a turn runs': busy,
  prompts,
  crashes,
  restarts,
  'usage limits': limits,
  budgets,
  settings,
  schedules,
  worktrees,
  deletion,
  exports: exporting,
};

/** Tests of what every conversation promises, whatever the way to it. */
export function conversationContract(way: WayIn): void {
  promisesOf(way, (promised) => {
    for (const [subject, declare] of Object.entries(subjects)) describe(subject, () => declare(promised));
  });
}
