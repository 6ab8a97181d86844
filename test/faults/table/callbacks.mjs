// Faults of the host's own code: callbacks, hooks, handlers, tools and listeners.
const emulated = { by: 'emulator', when: 'immediately' };
const goesOn = { open: 'ready', turn: 'success: done', next: 'success: next', session: 'ready' };
const readAndGoesOn = { ...goesOn, reader: 'ends' };

const WAYS = [
  'throws',
  'throws nothing',
  'rejects',
  'returns nothing',
  'returns a text',
  'returns a made-up answer',
  'returns what cannot be serialised',
];
const HOOK_FAILS = [
  'throws',
  'throws nothing',
  'rejects',
  'returns a text',
  'returns what cannot be serialised',
];

/** Only newer CLIs pass these on. */
const NEWER = ['elicitation', 'dialog'];
const where = (kind) => (NEWER.includes(kind) ? { on: ['2.1.326'] } : {});

/** The kinds of prompts, and the negative answer to each. */
const PROMPTS = [
  ['permission', 'deny'],
  ['question', 'deny'],
  ['plan', 'deny'],
  ['elicitation', 'decline'],
  ['dialog', 'cancelled'],
];

/** Longer than any play takes: an earlier answer or withdrawal must leave no timer. */
const LATER = { promptTimeoutsMs: Object.fromEntries(PROMPTS.map(([kind]) => [kind, 60_000])) };

const prompts = PROMPTS.flatMap(([kind, refusal]) => [
  {
    ...emulated,
    ...where(kind),
    fault: `the ${kind} callback %s`,
    phase: 'prompt',
    each: WAYS,
    run: `a callback misbehaves:${kind}`,
    options: LATER,
    see: { ...readAndGoesOn, answer: refusal, diagnostics: 'CALLBACK_FAILED' },
  },
  {
    ...emulated,
    ...where(kind),
    fault: `the ${kind} callback never returns`,
    phase: 'prompt',
    run: `a callback never returns, and its time is up:${kind}`,
    when: 'promptTimeoutsMs',
    see: { ...goesOn, answer: refusal, diagnostics: 'CALLBACK_FAILED' },
  },
]);

const NEVER = ['permission', 'question', 'plan', 'elicitation', 'dialog', 'hook', 'handler'];
const neverReturn = NEVER.flatMap((kind) => [
  {
    ...emulated,
    ...where(kind),
    fault: `the ${kind} callback never returns, and the turn is interrupted`,
    phase: 'prompt',
    run: `a callback never returns, and the turn is interrupted:${kind}`,
    options: LATER,
    see: { ...goesOn, call: 'answered', turn: 'interrupted', answer: 'none' },
  },
  {
    ...emulated,
    ...where(kind),
    fault: `the ${kind} callback never returns, and the session is closed`,
    phase: 'prompt',
    run: `a callback never returns, and the session is closed:${kind}`,
    options: LATER,
    see: { open: 'ready', close: 'done', turn: 'closed', session: 'ended' },
  },
]);

const hooks = [
  {
    ...emulated,
    fault: 'a hook %s',
    phase: 'prompt',
    each: HOOK_FAILS,
    run: 'a callback misbehaves:hook',
    see: { ...readAndGoesOn, answer: 'deny', diagnostics: 'CALLBACK_FAILED' },
  },
  {
    ...emulated,
    fault: 'a handler %s',
    phase: 'prompt',
    each: ['throws', 'throws nothing', 'rejects', 'returns what cannot be serialised'],
    run: 'a callback misbehaves:handler',
    see: { ...readAndGoesOn, answer: 'an error' },
  },
  {
    ...emulated,
    fault: 'a hook that must block %s',
    phase: 'tool',
    each: HOOK_FAILS,
    run: 'a hook that must block misbehaves',
    see: { ...readAndGoesOn, answer: 'deny', tool: 'did not run', diagnostics: 'CALLBACK_FAILED' },
  },
  {
    ...emulated,
    fault: 'a hook that must block never returns',
    phase: 'tool',
    run: 'a hook that must block never returns',
    when: 'nine tenths of timeoutMs',
    see: { ...goesOn, answer: 'deny', diagnostics: 'CALLBACK_FAILED' },
  },
  {
    ...emulated,
    fault: 'a hook that must block never returns, and the session is closed',
    phase: 'tool',
    run: 'a hook that must block never returns, and the session is closed',
    see: { open: 'ready', close: 'done', turn: 'closed', session: 'ended' },
  },
];

const tools = [
  {
    fault: 'connect() of an in-process server %s',
    phase: 'handshake',
    each: ['throws', 'rejects'],
    run: 'a server cannot be connected',
    see: {
      open: 'ready',
      next: 'success: next',
      diagnostics: 'MCP_NOT_READY, MCP_SERVER_FAILED',
      session: 'ready',
    },
  },
  {
    fault: 'connect() of an in-process server %s',
    phase: 'handshake',
    each: ['never returns'],
    run: 'a server cannot be connected',
    options: { mcpSetupMs: 1_000 },
    when: 'mcpSetupMs',
    see: {
      open: 'ready',
      next: 'success: next',
      diagnostics: 'MCP_NOT_READY, MCP_SERVER_FAILED',
      session: 'ready',
    },
  },
  {
    fault: 'an in-process tool %s',
    each: ['throws', 'rejects', 'returns what cannot be serialised'],
    run: 'a tool fails',
    see: { ...goesOn, answer: 'an error', diagnostics: 'MCP_TOOL_FAILED' },
  },
  {
    fault: 'an in-process tool never returns',
    run: 'a tool never returns, and its time is up',
    when: 'timeoutMs',
    see: { ...goesOn, answer: 'an error', signal: 'aborted', diagnostics: 'MCP_TOOL_FAILED' },
  },
  {
    fault: 'an in-process tool never returns, and the turn is interrupted',
    run: 'a tool never returns, and the turn is interrupted',
    see: { ...goesOn, call: 'answered', turn: 'interrupted', signal: 'aborted' },
  },
  {
    fault: 'an in-process tool never returns, and the CLI is %s',
    each: ['killed'],
    run: 'a tool never returns, and the session ends',
    see: {
      open: 'ready',
      turn: 'cli-ended: CLI_ENDED, signal SIGKILL',
      signal: 'aborted',
      session: 'ended',
    },
  },
  {
    fault: 'an in-process tool never returns, and the session is %s',
    each: ['closed'],
    run: 'a tool never returns, and the session ends',
    see: { open: 'ready', turn: 'closed', signal: 'aborted', session: 'ended' },
  },
].map((row) => ({ ...emulated, phase: 'tool', ...row }));

/** Ways to misbehave, and whether that is reported. */
const LISTENER_WAYS = [
  [['throws', 'throws nothing', 'rejects'], { diagnostics: 'CALLBACK_FAILED' }],
  [['never returns'], {}],
];

const listeners = ['onMessage', 'onStateChange', 'onDiagnostic'].flatMap((name) =>
  LISTENER_WAYS.map(([each, heard]) => ({
    ...emulated,
    fault: `${name} and the listeners of every event misbehave: %s`,
    phase: 'turn',
    each,
    run: `a listener misbehaves:${name}`,
    // A failure of onDiagnostic itself goes to stderr.
    see: { ...readAndGoesOn, answer: 'allow', ...(name === 'onDiagnostic' ? {} : heard) },
  })),
);

const many = [
  {
    ...emulated,
    on: ['2.1.326'],
    fault: 'ten thousand prompts come at once',
    phase: 'prompt',
    run: 'ten thousand prompts at once',
    see: { ...readAndGoesOn, answers: '10000 allowed, 10000 sent, 0 open' },
  },
];

export const callbackFaults = [...prompts, ...neverReturn, ...hooks, ...tools, ...listeners, ...many];
