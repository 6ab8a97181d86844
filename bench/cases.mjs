// What is measured, and the goals. `of` reads a figure from a measurement; with `relative` it is the ratio to
// that implementation, otherwise an absolute value. Goals apply to both entry points, unless a case names other subjects.
const COMPARED = ['raw', 'coxswain', 'compat', 'official'];
const WITHOUT_RAW = ['coxswain', 'compat', 'official'];

const ratio = (name, of, relative, goal) => ({ name, of, relative, ...(goal ? { goal } : {}) });
const plain = (name, key, goal) => ({ name, of: (measured) => measured[key], ...(goal ? { goal } : {}) });
const ofOfficial = (name, key, goal) =>
  ratio(`${name}, of the official SDK`, (measured) => measured[key], 'official', goal);

const flood = (title, plan, goal) => ({
  title,
  plan,
  measure: 'turn',
  hosts: COMPARED,
  rounds: 9,
  figures: [
    ratio('throughput, of raw', ({ count, ms }) => count / ms, 'raw', { atLeast: goal }),
    ratio('CPU time, of raw', ({ cpuMs }) => cpuMs, 'raw'),
    ratio('peak memory, of raw', ({ peakMb }) => peakMb, 'raw', { atMost: 1.15 }),
  ],
});

/** Most programs are in the burst: 5,000 calls after 1,000. The long run shows what is left when everything is compiled. */
const rate = (part) => (measured) => measured[part].count / measured[part].ms;
const inCalls = (goal) => [
  ratio('burst: throughput, of raw', rate('burst'), 'raw', goal && { atLeast: goal }),
  ratio('burst: CPU time, of raw', ({ burst }) => burst.cpuMs, 'raw'),
  ratio('burst: throughput, of the official SDK', rate('burst'), 'official', { atLeast: 1 }),
  ratio('long run: throughput, of raw', rate('long'), 'raw', goal && { atLeast: goal }),
  ratio('long run: CPU time, of raw', ({ long }) => long.cpuMs, 'raw'),
  ratio('long run: throughput, of the official SDK', rate('long'), 'official', { atLeast: 1 }),
];

/** How long the slowest of a hundred calls waits; most of them are among the first, whose code is not compiled yet. */
const waits = (timesOfficial) => [
  ratio('burst: 99 of 100 are answered within, of raw', ({ burst }) => burst.p99, 'raw'),
  ratio('burst: 99 of 100 are answered within, of the official SDK', ({ burst }) => burst.p99, 'official', {
    atMost: timesOfficial,
  }),
  { name: 'burst: 99 of 100 are answered within, µs', of: ({ burst }) => burst.p99 },
];
const BURST = { warmUp: 1_000, burst: 5_000 };

const calls = (what, kind, width, figures) => ({
  title: `${what}, ${width === 1 ? 'one at a time' : `${width} at once`}`,
  measure: 'calls',
  hosts: COMPARED,
  rounds: 7,
  wish: { kind, width, counts: { ...BURST, long: width === 1 ? 20_000 : 60_000 } },
  figures,
});

const control = (width, title, figures) => ({
  title,
  measure: 'control',
  hosts: COMPARED,
  rounds: 7,
  wish: { width, counts: { ...BURST, long: width === 1 ? 20_000 : 100_000 } },
  figures,
});

const leave = (by) => ({
  title: `a flooding session left by ${by}`,
  plan: 'flood 2000000 300',
  measure: 'leave',
  hosts: WITHOUT_RAW,
  rounds: 5,
  wish: { by },
  figures: [plain('milliseconds until control is back', 'ms', { atMost: 50 })],
});

const record = (count, redact, goal, note = '') => ({
  title: `${count.toLocaleString('en')} stream events of 300 B, recorded ${redact ? 'with' : 'without'} redaction${note}`,
  plan: `flood ${count} 300`,
  measure: 'turn',
  subjects: ['recorded'],
  hosts: [
    { name: 'not recorded', host: 'coxswain' },
    { name: 'recorded', host: 'coxswain', record: { redact } },
  ],
  rounds: 9,
  figures: [
    ratio(
      'throughput, of not recorded',
      ({ count, ms }) => count / ms,
      'not recorded',
      goal && { atLeast: goal },
    ),
    ratio('CPU time, of not recorded', ({ cpuMs }) => cpuMs, 'not recorded'),
  ],
});

const SHORT = ': a third of a second, while the engine still compiles';

export const cases = {
  'stream-events': flood('200,000 stream events of 300 B', 'flood 200000 300', 0.9),
  messages: flood('5,000 messages of 50 KB', 'flood 5000 50000', 0.95),
  'long-line': flood('one line of 50 MB', 'line 50000000', 0.95),
  'slow-reader': {
    title: '20,000 messages of 20 KB, one read per millisecond',
    plan: 'flood 20000 20000',
    measure: 'turn',
    hosts: WITHOUT_RAW,
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
    hosts: WITHOUT_RAW,
    rounds: 3,
    figures: [plain('memory added, MB', 'addedMb', { atMost: 64 })],
  },
  'permissions-one': calls('permission calls', 'permissions', 1, [...inCalls(0.75), ...waits(2)]),
  'permissions-many': calls('permission calls', 'permissions', 100, inCalls(0.8)),
  'hooks-one': calls('hook calls', 'hooks', 1, inCalls(0.8)),
  'hooks-many': calls('hook calls', 'hooks', 100, inCalls(0.75)),
  'tools-one': calls('tool calls of an in-process server', 'tools', 1, inCalls(0.6)),
  'tools-many': calls('tool calls of an in-process server', 'tools', 100, inCalls(0.6)),
  'control-one': control(1, 'control calls, one at a time', [...inCalls(0.7), ...waits(1)]),
  'control-many': control(1_000, 'control calls, 1,000 at once', inCalls(0.6)),
  import: {
    title: 'import of the entry point',
    measure: 'load',
    hosts: WITHOUT_RAW,
    rounds: 11,
    figures: [
      plain('milliseconds', 'ms', { atMost: 40 }),
      ofOfficial('time', 'ms'),
      ofOfficial('memory', 'loadedMb', { atMost: 1 / 3 }),
    ],
  },
  'first-session': {
    title: 'import, and a first session opened',
    measure: 'first',
    hosts: WITHOUT_RAW,
    rounds: 11,
    figures: [
      ofOfficial('time', 'ms', { atMost: 0.45 }),
      ofOfficial('CPU time', 'cpuMs'),
      plain('milliseconds', 'ms'),
    ],
  },
  short: {
    title: 'short sessions, one at a time',
    measure: 'short',
    hosts: COMPARED,
    rounds: 5,
    wish: { sessions: 300 },
    figures: [
      ofOfficial('CPU time each', 'cpuMsEach', { atMost: 1 }),
      ofOfficial('time until the first message', 'firstMs', { atMost: 1 }),
      plain('CPU milliseconds each', 'cpuMsEach'),
      plain('milliseconds until the first message', 'firstMs'),
      plain('milliseconds until the first message of the first session', 'coldMs', { atMost: 12 }),
      plain('milliseconds each, opened and closed', 'msEach'),
      plain('KB of memory left of each', 'kilobytesLeftEach', { atMost: 2.6 }),
    ],
  },
  live: {
    title: '50 sessions at once',
    measure: 'live',
    hosts: COMPARED,
    rounds: 5,
    wish: { sessions: 50 },
    figures: [
      ofOfficial('opened in', 'openedMs', { atMost: 1 }),
      ofOfficial('closed in', 'closedMs', { atMost: 1 }),
      plain('opened in, ms', 'openedMs'),
      plain('closed in, ms', 'closedMs'),
      plain('KB of resident memory each', 'rssEach', { atMost: 120 }),
      plain('KB of memory in use each', 'kilobytesEach', { atMost: 60 }),
    ],
  },
  'leave-break': leave('break'),
  'leave-throw': leave('throw'),
  'leave-abort': leave('abort'),
  churn: {
    title: '1,000 sessions opened and closed',
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
    subjects: ['coxswain'],
    title: 'first answer of a real CLI, from its start, in a program that has had a session',
    measure: 'cold',
    hosts: ['raw', 'coxswain'],
    rounds: 30,
    real: true,
    warmUp: true,
    figures: [ratio('time, of raw', ({ ms }) => ms, 'raw', { atMost: 1.05 }), plain('milliseconds', 'ms')],
  },
  'cold-first': {
    title: 'the same in a program that has had none',
    measure: 'cold',
    hosts: ['raw', 'coxswain', 'official'],
    rounds: 10,
    real: true,
    figures: [ratio('time, of raw', ({ ms }) => ms, 'raw'), plain('milliseconds', 'ms')],
  },
  console: {
    subjects: ['coxswain'],
    title: 'a console server with 100 sessions and 200 viewers',
    program: 'bench/console.mjs',
    goals: { 'viewers with a gap or an event twice': { atMost: 0 } },
  },
  'console-page': {
    subjects: ['coxswain'],
    title: "the console's page in Chromium",
    program: 'bench/console-page.mjs',
    goals: {
      '20,000 messages: longest task, ms of CPU time': { atMost: 100 },
      '20,000 messages: longest task afterwards, ms of CPU time': { atMost: 100 },
      '50 sessions stream: longest task, ms of CPU time': { atMost: 100 },
      '20,000 messages: longest task, of that with 1,000': { atMost: 2 },
      '20,000 messages: longest task afterwards, of that with 1,000': { atMost: 2 },
      '50 sessions stream: longest task, of that with one': { atMost: 2 },
    },
  },
  manager: {
    subjects: ['coxswain'],
    title: 'a manager of many conversations',
    program: 'bench/manager.mjs',
    goals: {
      'a parked conversation that had a CLI, KB': { atMost: 10 },
      'list of 10,000, ms': { atMost: 300 },
      'claim, ms more than startup()': { atMost: 0 },
      '1,000 sends of short turns (100 pieces), CPU time of a plain session': { atMost: 1.05 },
      '1,000 sends of long turns (1,000 pieces), CPU time of a plain session': { atMost: 1.05 },
    },
  },
  recording: record(1_000_000, false, 0.75),
  'recording-redacted': record(1_000_000, true, 0.6),
  'recording-burst': record(200_000, false, undefined, SHORT),
  'recording-burst-redacted': record(200_000, true, undefined, SHORT),
};

/** The table of the README: figures of both SDKs, whoever is ahead. `npm run bench -- --table` measures these cases alone. */
export const table = [
  ['stream-events', 'throughput, of raw'],
  ['control-one', 'burst: throughput, of raw'],
  ['control-one', 'burst: 99 of 100 are answered within, µs'],
  ['control-many', 'burst: throughput, of raw'],
  ['permissions-one', 'burst: throughput, of raw'],
  ['permissions-one', 'burst: 99 of 100 are answered within, µs'],
  ['permissions-many', 'burst: throughput, of raw'],
  ['hooks-one', 'burst: throughput, of raw'],
  ['hooks-many', 'burst: throughput, of raw'],
  ['tools-many', 'burst: throughput, of raw'],
  ['slow-reader', 'memory added, MB'],
  ['unread', 'memory added, MB'],
  ['import', 'milliseconds'],
  ['first-session', 'milliseconds'],
  ['short', 'CPU milliseconds each'],
  ['short', 'milliseconds until the first message'],
  ['short', 'milliseconds until the first message of the first session'],
  ['short', 'KB of memory left of each'],
  ['live', 'opened in, ms'],
  ['live', 'closed in, ms'],
  ['live', 'KB of resident memory each'],
  ['leave-break', 'milliseconds until control is back'],
  ['leave-abort', 'milliseconds until control is back'],
];

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
    measure: 'live',
    wish: (size) => ({ sessions: size, atOnce: Math.min(size, 25) }),
    hosts: COMPARED,
    rounds: 1,
    unit: 'KB',
    of: ({ kilobytesEach }) => Math.max(0, kilobytesEach),
  },
};

const INTERPRETED =
  'Five thousand calls take less than a tenth of a second. In that time V8 still interprets most of our functions, and each call passes about twenty of them: checks, deadlines, withdrawal, flow control. The long run shows what remains once they are compiled.';

const LATER =
  'In the burst V8 still interprets most of our functions. `coxswain/compat` also runs a callback one round of the event loop later, so the program has seen all earlier messages.';

const OWN_SESSION =
  ' On Linux each CLI leads a session of the system, so that everything it starts can be found and ended with it. A kernel that shares the processor between such sessions (`sched_autogroup_enabled`) treats it as another program: on a busy machine an answer comes later, whatever we do. The raw loop is two to ten times slower with it there, too.';

/** Why a goal is missed, for the page; shown only while it is. */
export const misses = {
  manager:
    'Each message is written to disk four times (accepted, sent, answered, done). On the native CLI a whole turn takes less than a millisecond, so those writes are noticeable; with a model, a turn takes seconds. Wall-clock time varies with the load of the machine, so the goals apply to CPU time. A claim also stores the conversation and its message before it sends, which `startup()` does not; we have not measured where the rest of its time goes.',
  messages:
    'They take a third of a second, in which V8 compiles twice as many functions as for the raw loop; for 20,000 such messages the CPU time is 1.03 of raw. With more code loaded, V8 also enlarges its young generation earlier (see `--trace-gc`), which explains the memory.',
  cold: 'While the CLI starts, the session reads its version and starts the keeper, which ends the CLI if the host dies.',
  'stream-events':
    'Each message is classified, counted for flow control and queued; the raw loop only parses it. The profile below has the shares.',
  'permissions-one': LATER + OWN_SESSION,
  'hooks-one': LATER + OWN_SESSION,
  'permissions-many': INTERPRETED,
  'hooks-many': INTERPRETED,
  'tools-many': INTERPRETED,
  'control-one': INTERPRETED + OWN_SESSION,
  'control-many': INTERPRETED,
  short:
    'Half of it is the fork, whose cost grows with the memory that the process has touched; it is the same for all SDKs. What we add checks that the CLI can run here, builds its environment, tells the keeper about it, and searches for processes that it left running. The main entry point loads its code with the first session, not with the import. A real CLI takes a hundred times as long to start.',
  live: 'Closing waits until every CLI is gone and two scans of the process list have found no process of theirs; the official SDK and `coxswain/compat` do not wait. The raw loop itself needs nearly 100 KB of resident memory for a process and its pipes. The largest part of the rest is the young generation of V8: opening 50 sessions at once creates enough garbage to enlarge it, once for the whole program. With `--max-semi-space-size=1` it is 166 KB for each of 50 sessions (official 131) and 88 KB for each of 200 (official 93).',
};
