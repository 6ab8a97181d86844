import {
  checkOptions,
  either,
  kinds,
  listOf,
  type OptionSpecs,
  recordOf,
  shapeOf,
} from '../../wire/util/option-checks.js';
import { checkLaunchOptions } from './conversations/conversation-option-checks.js';
import type { ManagerOptions } from './manager-options.js';

const ms = { expected: 'a number of milliseconds, 0 or more', accepts: isAmount };
const limit = {
  expected: '"wait" or "fail"',
  accepts: (value: unknown) => value === 'wait' || value === 'fail',
};
const parking = {
  expected: '"idle" or "cost"',
  accepts: (value: unknown) => value === 'idle' || value === 'cost',
};
const warmKind = either(
  kinds.count,
  listOf(shapeOf({ count: kinds.count, options: kinds.record }, { required: ['count'] })),
);
const share = {
  expected: 'a share from 0 to 1, such as 0.9',
  accepts: (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1,
};
const amount = { expected: 'a number of 0 or more', accepts: isAmount };

/** The options of a manager. */
export const managerOptionSpecs: OptionSpecs = {
  store: {
    kind: kinds.text,
    sentence: 'The folder for the conversations. Only one manager can use it at a time.',
  },
  maxRunning: { kind: kinds.positiveCount, sentence: 'How many CLIs may run at once. Default: 8.' },
  idleMs: {
    kind: ms,
    sentence:
      'How long a conversation may be idle before it is parked, in milliseconds. Default: 10 minutes.',
  },
  parkBy: {
    kind: parking,
    sentence:
      'Which conversation to park first if another one needs its slot: the one that is idle longest, or the one whose context costs least to send again. By `cost`, an idle one with a large context also stays until the API no longer caches it. Default: `idle`.',
  },
  warm: {
    kind: warmKind,
    sentence:
      'How many CLIs to start in advance for new conversations with the default options, or a count per set of options. Not with `optionsFor` or `defer`. Default: 0.',
  },
  warmMs: {
    kind: ms,
    sentence:
      'How long a CLI that was started in advance waits for a conversation before it ends, in milliseconds. Default: 10 minutes.',
  },
  defaults: { kind: kinds.record, sentence: 'Launch options of every conversation.' },
  optionsFor: {
    kind: kinds.callback,
    sentence:
      'Returns the launch options of one conversation. Called each time its CLI starts, including after a restart, and when its transcript is read. Use it for callbacks, hooks, servers and keys, which are never stored.',
  },
  defer: {
    kind: either(listOf(kinds.text), kinds.callback),
    sentence:
      'Which tool calls to defer, by the names of their tools or a function: the conversation waits for the answer without a CLI, and the call stays in `prompts`. CLIs that cannot do this prompt as usual. Default: none.',
  },
  onLimit: {
    kind: limit,
    sentence:
      'What to do at a usage limit: wait until it ends and continue, or settle the turn. Default: wait.',
  },
  limitSpreadMs: {
    kind: ms,
    sentence:
      'Conversations that wait for the same limit continue spread over this time, in milliseconds. Default: 1 minute.',
  },
  holdAbove: {
    kind: either(share, recordOf(share)),
    sentence:
      'Lets new messages wait while a usage window of their login (5 hours, 7 days) is used to this share or more, such as 0.9; by priority: `{ 0: 0.8, 5: 0.95 }`. What has begun goes on. Default: no waiting.',
  },
  budgets: {
    kind: shapeOf(
      { conversation: amount, owner: amount, day: amount, total: amount },
      { foreign: { daily: 'it is "day" here' } },
    ),
    sentence: 'Spending limits in US dollars. Reaching one pauses the conversation. Default: no limit.',
  },
  onDiagnostic: {
    kind: kinds.callback,
    sentence:
      'Receives the diagnostics of the manager and of all its conversations, like the event `diagnostic`.',
  },
  retention: {
    kind: shapeOf({ maxAgeMs: amount, maxCount: amount }),
    sentence:
      'Deletes conversations that have been unused for a while, or the oldest beyond a maximum count. Default: keep all.',
  },
};

/** @throws OptionError for an invalid option, before anything is changed. */
export function checkManagerOptions(options: ManagerOptions): void {
  checkOptions(managerOptionSpecs, options, [
    { option: 'store', problem: ({ store }) => (store === undefined ? 'is needed: a folder' : undefined) },
    {
      option: 'warm',
      problem: ({ warm = 0, optionsFor, defer }) =>
        (optionsFor ?? defer) === undefined || warm === 0
          ? undefined
          : `not with "${optionsFor === undefined ? 'defer' : 'optionsFor'}": a CLI that is started in advance cannot have options or hooks of one conversation.`,
    },
  ]);
  const { defaults = {}, warm = [] } = options;
  const sets = typeof warm === 'number' ? [] : warm;
  for (const launch of [defaults, ...sets.map((set) => set.options ?? {})]) checkLaunchOptions(launch);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(value) && value >= 0;
}
