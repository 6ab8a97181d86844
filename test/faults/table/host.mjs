// Faults of the owner and its environment: leaving at any moment, time that jumps, a full disk.
const emulated = { by: 'emulator', when: 'immediately' };
const opensAndGoesOn = { open: 'ready', next: 'success: next', session: 'ready' };
const goesOn = { ...opensAndGoesOn, turn: 'success: done' };
const closed = { open: 'ready', turn: 'closed', reader: 'ends', session: 'ended' };

/** A turn ended by an abort says so. */
const aborted = (see) => (see.turn === undefined ? see : { ...see, turn: 'aborted' });

const ending = [
  ['spawn', 'before it is started', { open: 'SESSION_ENDED', session: 'ended' }],
  ['handshake', 'in the handshake', { open: 'SESSION_ENDED', turn: 'closed', session: 'ended' }],
  ['idle', 'when idle', { open: 'ready', session: 'ended' }],
  ['call', 'while a call waits', { open: 'ready', call: 'SESSION_ENDED', session: 'ended' }],
  ['turn', 'in a turn', closed],
  ['prompt', 'in a prompt', { ...closed, prompt: 'withdrawn' }],
  ['tool', 'in a tool', closed],
  ['closing', 'while it is closing', { open: 'ready', close: 'done', turn: 'closed', session: 'ended' }],
].flatMap(([phase, when, see]) =>
  [
    [['aborts its signal'], phase === 'closing' ? see : aborted(see)],
    [['closes it', 'closes it twice', 'disposes of it'], see],
  ].map(([each, seen]) => ({
    ...emulated,
    fault: 'the owner %s',
    phase,
    each,
    run: `the session is ended ${when}`,
    see: seen,
  })),
);

const MOMENTS = ['1', '2', '3', '4', '5', '6'];
const leaving = [
  {
    fault: 'the loop is left by break at message %s',
    each: MOMENTS,
    run: 'the loop is left:break',
    see: { ...goesOn, reader: 'left' },
  },
  {
    fault: 'the loop is left by a throw at message %s',
    each: MOMENTS,
    run: 'the loop is left:throw',
    see: { ...goesOn, reader: 'Error: mine' },
  },
  {
    fault: 'the session is closed inside its own loop',
    run: 'the session is ended in its own loop',
    see: closed,
  },
  ...['sent', 'prompt', 'tool'].map((moment) => ({
    fault: 'the turn is interrupted',
    phase: moment === 'sent' ? 'turn' : moment,
    run: `the turn is interrupted:${moment}`,
    see: { ...opensAndGoesOn, call: 'answered', turn: 'interrupted', prompt: '0 open' },
  })),
  {
    fault: 'the CLI is killed during a send',
    run: 'the CLI is killed during a send',
    see: {
      open: 'ready',
      turns: 'cli-ended: CLI_ENDED, signal SIGKILL; cli-ended: CLI_ENDED, signal SIGKILL',
      session: 'ended',
    },
  },
  {
    fault: 'a call is aborted %s',
    phase: 'call',
    each: ['before it is made', 'when it is made', 'while it waits'],
    run: 'a call is aborted',
    see: { ...opensAndGoesOn, call: 'REQUEST_ABORTED', listeners: '0' },
  },
].map((row) => ({ ...emulated, phase: 'turn', ...row }));

const time = [
  {
    fault: 'a day passes at once',
    phase: 'handshake',
    run: 'a day passes in the handshake',
    see: { open: 'HANDSHAKE_TIMEOUT', session: 'ended' },
  },
  { fault: 'a day passes at once', phase: 'idle', run: 'a day passes when idle', see: opensAndGoesOn },
  {
    fault: 'a day passes at once',
    phase: 'call',
    run: 'a day passes while a call waits',
    see: { ...opensAndGoesOn, call: 'REQUEST_TIMEOUT' },
  },
  { fault: 'a day passes at once', phase: 'turn', run: 'a day passes in a turn', see: goesOn },
  {
    fault: 'a day passes at once, with stallMs',
    phase: 'prompt',
    run: 'a day passes in a prompt',
    see: { ...goesOn, prompt: 'open' },
  },
  {
    fault: 'the date is set back to 1970',
    phase: 'turn',
    run: 'the date is set back in a turn',
    see: goesOn,
  },
  {
    fault: 'the CLI goes silent',
    phase: 'turn',
    run: 'a turn stalls',
    options: { stallMs: 1_000 },
    when: 'stallMs',
    see: { ...opensAndGoesOn, turn: 'stalled' },
  },
  {
    fault: 'the CLI goes silent and ignores an interrupt',
    phase: 'turn',
    run: 'a turn stalls, and an interrupt does not help',
    options: { stallMs: 1_000 },
    when: 'stallMs',
    see: { open: 'ready', turn: 'stalled', call: 'SESSION_ENDED', session: 'ended' },
  },
].map((row) => ({ ...emulated, ...row }));

const recorded = { ...goesOn, reader: 'ends', close: 'done', session: 'ended' };
const recordings = [
  {
    fault: 'the recording goes to %s',
    each: [
      'a full disk',
      'a folder that cannot be created',
      'a writer that throws',
      'a writer whose flush fails',
    ],
    run: 'the recording fails',
    see: { ...recorded, diagnostics: 'RECORDING_FAILED' },
  },
  {
    fault: 'the recording goes to %s',
    each: ['a writer that accepts no more'],
    run: 'the recording fails',
    see: { ...recorded, diagnostics: 'RECORDING_GAP' },
  },
  {
    fault: 'the recording goes to a writer that never flushes',
    run: 'the recording never ends',
    when: 'closeWaitMs',
    see: {
      open: 'ready',
      turn: 'success: done',
      reader: 'ends',
      close: 'done',
      diagnostics: 'RECORDING_FAILED',
      session: 'ended',
    },
  },
].map((row) => ({ ...emulated, phase: 'turn', ...row }));

const died = { open: 'ready', turn: 'cli-ended: CLI_ENDED, exit code 1' };
const reopenings = [
  {
    fault: 'the CLI dies, and is started again for the next message (reopen: auto)',
    phase: 'turn',
    run: 'the CLI dies and comes back',
    see: { ...died, next: 'success: next', starts: '2', session: 'ready' },
  },
  {
    fault: 'the CLI dies, and again at its next start (reopen: auto)',
    phase: 'handshake',
    run: 'the CLI dies and never comes back',
    see: { ...died, next: 'cli-ended: HANDSHAKE_ENDED', starts: '2', session: 'ended' },
  },
  {
    fault: 'the owner closes a session that is being reopened',
    phase: 'spawn',
    run: 'the session is closed while it is reopened',
    see: { ...died, close: 'done', reopen: 'SESSION_ENDED', session: 'ended' },
  },
].map((row) => ({ ...emulated, ...row }));

const crashes = ['idle', 'prompt', 'tool']
  .flatMap((phase) => [
    {
      fault: 'the host is ended by %s',
      phase,
      each: ['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT', 'SIGSEGV'],
      run: 'signal',
      see: { host: '%s' },
    },
    { fault: 'the host %s', phase, each: ['exits with code 0'], run: 'itself', see: { host: 'exit code 0' } },
    {
      fault: 'the host %s',
      phase,
      each: ['throws', 'rejects without a catch'],
      run: 'itself',
      see: { host: 'exit code 1' },
    },
    {
      fault: 'the host %s',
      phase,
      each: ['aborts', 'runs out of memory'],
      run: 'itself',
      see: { host: 'SIGABRT' },
    },
  ])
  .map((row) => ({ ...row, by: 'host', when: 'within seconds: the keeper ends what is left running' }));

export const hostFaults = [...reopenings, ...crashes, ...ending, ...leaving, ...time, ...recordings];
