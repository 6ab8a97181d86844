import type { Broken } from './way-in.js';

const noSlot: Broken = {
  because: 'a console accepts a message only when its CLI runs',
  fails: /to match object \{ unsettled: 1 \}/,
};
const endedByCrash: Broken = {
  because: 'on a console, a session whose CLI or server died has ended until it is reopened',
  fails: /The session has ended/,
};

/** What consoles do not keep yet, whatever the way to them. */
export const brokenOnConsoles: Readonly<Record<string, Broken>> = {
  'a new conversation has no CLI until its first message': {
    because: 'opening a session of a console starts its CLI',
    fails: /to deeply equal \[ 'parked'/,
  },
  'without a slot a conversation is queued, and its message is accepted': noSlot,
  'a message that waits for a slot when its owner is killed runs after a restart': noSlot,
  'after a crash the next message continues with another CLI': endedByCrash,
  'after its owner was killed in a turn, a conversation takes the next message': endedByCrash,
};

/** What a manager of a console does not keep yet. */
export const brokenOnConsoleManagers: Readonly<Record<string, Broken>> = {
  'a message that waits for a slot when its owner is killed runs after a restart': {
    because: noSlot.because,
    fails: /kind: 'success', …\(1\) } to deeply equal/,
  },
};

const noWorktrees: Broken = {
  because: 'workers of a fleet decide about folders',
  fails: /Option "workspace" does not reach the server/,
};

/** What a fleet does not keep yet. */
export const brokenOnFleets: Readonly<Record<string, Broken>> = {
  'a conversation works in its own worktree, which is merged': noWorktrees,
  'a worktree that is removed leaves the repository as it was, and its work under a ref': noWorktrees,
  'a conversation continues in its worktree after a restart': noWorktrees,
};

const inTakeOver = 'a kill needs processes: test/fleet/take-over.fleet.test.ts';
const notTested = 'a kill needs processes, and no test of those does this';

/** What cannot be tested on a fleet in one process. */
export const untestedOnFleets: Readonly<Record<string, string>> = {
  'a prompt stays open when its owner is killed, and its answer is for the next CLI': inTakeOver,
  'a turn that runs when its owner is killed has an outcome': inTakeOver,
  'after its owner was killed in a turn, a conversation takes the next message': notTested,
  'a message that waits for a slot when its owner is killed runs after a restart': notTested,
  'what was spent, and the message that waits, outlive an owner that is killed': notTested,
  'a message waits for its usage limit across a restart':
    'not kept: the next worker tries at once; until it has, the record still names the limit',
};
