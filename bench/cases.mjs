// What is measured, and the goals. `of` says how a figure is read from a measurement; with `relative` it is the ratio to
// that implementation, else it stands for itself. Goals are those of `coxswain`, unless a case names another subject.
const COMPARED = ['raw', 'coxswain', 'compat', 'official'];

const throughput = (goal) => ({
  name: 'throughput, of raw',
  of: ({ count, calls, ms }) => (calls ?? count) / ms,
  relative: 'raw',
  goal: { atLeast: goal },
});
const cpu = {
  name: 'CPU time, of raw',
  of: ({ cpuMs }) => cpuMs,
  relative: 'raw',
};
const peak = {
  name: 'peak memory, of raw',
  of: ({ peakMb }) => peakMb,
  relative: 'raw',
  goal: { atMost: 1.15 },
};
const plain = (name, key, goal) => ({ name, of: (measured) => measured[key], ...(goal ? { goal } : {}) });

const flood = (title, plan, goal) => ({
  title,
  plan,
  measure: 'turn',
  hosts: COMPARED,
  rounds: 9,
  figures: [throughput(goal), cpu, peak],
});

const calls = (title, plan, count, more = {}) => ({
  title,
  plan,
  measure: 'turn',
  hosts: COMPARED,
  rounds: 7,
  calls: count,
  figures: [throughput(0.85), cpu],
  ...more,
});

const leave = (by) => ({
  title: `a flooding session left by ${by}`,
  plan: 'flood 2000000 300',
  measure: 'leave',
  hosts: ['coxswain', 'compat', 'official'],
  rounds: 5,
  wish: { by },
  figures: [plain('milliseconds until control is back', 'ms', { atMost: 50 })],
});

const record = (count, redact, goal, note = '') => ({
  title: `${count.toLocaleString('en')} stream events of 300 B, recorded ${redact ? 'with' : 'without'} redaction${note}`,
  plan: `flood ${count} 300`,
  measure: 'turn',
  subject: 'recorded',
  hosts: [
    { name: 'not recorded', host: 'coxswain' },
    { name: 'recorded', host: 'coxswain', record: { redact } },
  ],
  rounds: 9,
  figures: [
    {
      name: 'throughput, of not recorded',
      of: ({ count, ms }) => count / ms,
      relative: 'not recorded',
      ...(goal ? { goal: { atLeast: goal } } : {}),
    },
    { ...cpu, name: 'CPU time, of not recorded', relative: 'not recorded' },
  ],
});

const BURST = ': a third of a second, while the engine still compiles';

export const cases = {
  'stream-events': flood('200,000 stream events of 300 B', 'flood 200000 300', 0.9),
  messages: flood('5,000 messages of 50 KB', 'flood 5000 50000', 0.95),
  'long-line': flood('one line of 50 MB', 'line 50000000', 0.95),
  'slow-reader': {
    title: '20,000 messages of 20 KB, read one a millisecond',
    plan: 'flood 20000 20000',
    measure: 'turn',
    hosts: ['coxswain', 'compat', 'official'],
    rounds: 1,
    wish: { readMs: 1 },
    figures: [
      plain('memory added, MB', 'addedMb', { atMost: 64 }),
      plain('messages read', 'count', { atLeast: 20_002 }),
    ],
  },
  unread: {
    title: '100,000 messages of 2 KB that nobody reads',
    plan: 'flood 100000 2000',
    measure: 'unread',
    hosts: ['coxswain', 'compat', 'official'],
    rounds: 3,
    figures: [plain('memory added, MB', 'addedMb', { atMost: 64 })],
  },
  control: {
    title: 'control calls, 1,000 at once',
    plan: '',
    measure: 'control',
    hosts: COMPARED,
    rounds: 9,
    wish: { rounds: 150 },
    figures: [throughput(0.85), cpu],
  },
  permissions: calls('permission calls, 100 at once', 'permissions 100000 100', 100_000),
  hooks: calls('hook calls, 100 at once', 'hooks 100000 100', 100_000),
  tools: calls('tool calls of an in-process server, 100 at once', 'tools 100000 100', 100_000, {
    wish: { withTool: true },
    figures: [
      { ...throughput(0), goal: undefined },
      {
        name: 'throughput, of the official SDK',
        of: ({ calls: count, ms }) => count / ms,
        relative: 'official',
        goal: { atLeast: 4 },
      },
      cpu,
    ],
  }),
  import: {
    title: 'import of the main module',
    plan: '',
    measure: 'load',
    hosts: ['coxswain', 'compat', 'official'],
    rounds: 11,
    figures: [
      {
        name: 'time, of the official SDK',
        of: ({ ms }) => ms,
        relative: 'official',
        goal: { atMost: 0.2 },
      },
      {
        name: 'memory, of the official SDK',
        of: ({ loadedMb }) => loadedMb,
        relative: 'official',
        goal: { atMost: 1 / 3 },
      },
      plain('milliseconds', 'ms'),
    ],
  },
  'first-session': {
    title: 'import, and a first session opened',
    plan: '',
    measure: 'first',
    hosts: ['coxswain', 'compat', 'official'],
    rounds: 11,
    figures: [
      { name: 'time, of the official SDK', of: ({ ms }) => ms, relative: 'official' },
      { name: 'CPU time, of the official SDK', of: ({ cpuMs }) => cpuMs, relative: 'official' },
      plain('milliseconds', 'ms'),
    ],
  },
  live: {
    title: '50 live sessions',
    plan: '',
    measure: 'live',
    hosts: COMPARED,
    rounds: 5,
    wish: { sessions: 50 },
    figures: [plain('KB of memory each', 'kilobytesEach', { atMost: 60 })],
  },
  'leave-break': leave('break'),
  'leave-throw': leave('throw'),
  'leave-abort': leave('abort'),
  churn: {
    title: '1,000 sessions opened and closed',
    plan: '',
    measure: 'churn',
    hosts: COMPARED,
    rounds: 1,
    wish: { sessions: 1000 },
    figures: [
      plain('KB left of each', 'kilobytesLeftEach'),
      plain('KB left of each that is not compiled code', 'dataLeftEach', { atMost: 1 }),
      plain('handles left', 'handlesLeft', { atMost: 0 }),
      plain('processes left', 'processesLeft', { atMost: 0 }),
    ],
  },
  cold: {
    title: 'first answer of a real CLI, from its start, in a program that has had a session',
    measure: 'cold',
    hosts: ['raw', 'coxswain'],
    rounds: 30,
    real: true,
    warmUp: true,
    figures: [
      { name: 'time, of raw', of: ({ ms }) => ms, relative: 'raw', goal: { atMost: 1.05 } },
      plain('milliseconds', 'ms'),
    ],
  },
  'cold-first': {
    title: 'the same in a program that has had none',
    measure: 'cold',
    hosts: ['raw', 'coxswain', 'official'],
    rounds: 10,
    real: true,
    figures: [{ name: 'time, of raw', of: ({ ms }) => ms, relative: 'raw' }, plain('milliseconds', 'ms')],
  },
  console: {
    title: 'a console server with 100 sessions and 200 viewers',
    program: 'bench/console.mjs',
    goals: { 'viewers with a gap or an event twice': { atMost: 0 } },
  },
  recording: record(1_000_000, false, 0.9),
  'recording-redacted': record(1_000_000, true, 0.75),
  'recording-burst': record(200_000, false, undefined, BURST),
  'recording-burst-redacted': record(200_000, true, undefined, BURST),
};

/** How cost grows; no goals. */
export const growth = {
  'growth-messages': {
    title: 'CPU time of one message, by how many there are',
    sizes: [1_000, 10_000, 100_000, 1_000_000],
    plan: (size) => `flood ${size} 300`,
    measure: 'turn',
    hosts: COMPARED,
    rounds: 3,
    unit: 'µs',
    of: ({ cpuMs, count }) => (cpuMs * 1000) / count,
  },
  'growth-sessions': {
    title: 'memory of one live session, by how many there are',
    sizes: [1, 10, 100, 1000],
    plan: () => '',
    measure: 'live',
    wish: (size) => ({ sessions: size }),
    hosts: COMPARED,
    rounds: 1,
    unit: 'KB',
    of: ({ kilobytesEach }) => Math.max(0, kilobytesEach),
  },
};

/** Why a goal is missed, for the page; shown only while it is. */
export const misses = {
  messages:
    'They take a third of a second, in which the engine compiles twice as many functions as for the raw loop; of 20,000 such messages the CPU time is 1.03 of raw. With more code loaded, V8 is also a step ahead in enlarging its young generation (`--trace-gc` tells), which is the memory. A session that is loaded from one file instead of 170 would need 4 MB less.',
  cold: 'While the CLI starts, the session reads its version and starts the keeper that ends it should the host die.',
};
