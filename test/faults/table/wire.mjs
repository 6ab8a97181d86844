// Faults on the wire: wrong lines, missing answers, floods.
const goesOn = {
  open: 'ready',
  turn: 'success: done',
  reader: 'ends',
  next: 'success: next',
  session: 'ready',
};
const opensAndGoesOn = { open: 'ready', next: 'success: next', session: 'ready' };
const emulated = { by: 'emulator', when: 'immediately' };

const NOISE = [
  'plain text',
  'an empty line',
  'spaces',
  'broken JSON',
  'a JSON text',
  'a JSON number',
  'a JSON null',
  'a JSON list',
  'NUL characters',
  'terminal codes',
  'a byte order mark',
];
const BROKEN = [
  'a request without an id',
  'an answer without an id',
  'an answer without a body',
  'a cancel without an id',
];
const HARMLESS = [
  'a keep-alive',
  'a message of an unknown type',
  'a message without a type',
  'a cancel of nothing',
];
/** Stray lines, and the diagnostic of each. */
const STRAY = [
  [NOISE, { diagnostics: 'NOISE_LINE' }],
  [BROKEN, { diagnostics: 'BROKEN_FRAME' }],
  [HARMLESS, {}],
  [['an answer to a request that was never made'], { diagnostics: 'UNKNOWN_ANSWER' }],
  [['a request of an unknown kind'], { diagnostics: 'UNHANDLED_REQUEST' }],
];

const strayLines = STRAY.flatMap(([each, told]) => [
  {
    ...emulated,
    fault: 'writes %s',
    phase: 'handshake',
    each,
    run: 'a stray line before the handshake',
    see: { ...opensAndGoesOn, ...told },
  },
  {
    ...emulated,
    fault: 'writes %s',
    phase: 'turn',
    each,
    run: 'a stray line in a turn',
    see: { ...goesOn, ...told },
  },
]);

const lines = [
  {
    fault: 'writes bytes that are not UTF-8',
    run: 'bytes that are not UTF-8',
    see: { diagnostics: 'NOISE_LINE' },
  },
  { fault: 'writes a line in two halves', run: 'a line in two halves' },
  { fault: 'writes characters cut in the middle', run: 'characters cut in the middle' },
  { fault: 'writes a line of ten million characters', run: 'a line of ten million characters' },
].map((row) => ({ ...emulated, ...row, phase: 'turn', see: { ...goesOn, ...row.see } }));

const results = [
  {
    ...emulated,
    on: ['2.1.326'],
    fault: 'repeats the result of the previous turn',
    phase: 'turn',
    run: 'a result that comes again',
    see: goesOn,
  },
];

const floods = [
  {
    ...emulated,
    fault: 'floods, and is read slowly',
    phase: 'turn',
    run: 'a flood that is read slowly',
    see: { ...goesOn, messages: '2000 read, 0 dropped' },
  },
  {
    ...emulated,
    fault: 'floods, and nobody reads',
    phase: 'turn',
    run: 'a flood that nobody reads',
    see: { ...opensAndGoesOn, turn: 'success: done', messages: 'most dropped, and counted' },
  },
  {
    ...emulated,
    fault: 'floods past the hard limit while its reader waits for an answer',
    phase: 'turn',
    run: 'a flood past the hard limit',
    on: ['2.0.73', '2.1.17'],
    see: {
      open: 'ready',
      call: 'SESSION_OVERFLOW',
      turn: 'cli-ended: SESSION_OVERFLOW',
      session: 'ended',
    },
  },
  {
    ...emulated,
    fault: 'asks after a flood that its reader has stopped reading',
    phase: 'turn',
    run: 'a flood behind which a prompt waits',
    when: 'five seconds for each buffer in between',
    see: { ...goesOn, prompt: 'answered' },
  },
];

const waitedFor = (error) => ({
  open: error,
  turn: `cli-ended: ${error}`,
  call: error,
  session: 'ended',
});
const handshakes = [
  {
    fault: 'never answers initialize',
    run: 'initialize is never answered',
    options: { handshakeMs: 500 },
    when: 'handshakeMs',
    see: waitedFor('HANDSHAKE_TIMEOUT'),
  },
  {
    fault: 'answers half of initialize',
    run: 'initialize is half answered',
    options: { handshakeMs: 500 },
    when: 'handshakeMs',
    see: { ...waitedFor('HANDSHAKE_TIMEOUT'), diagnostics: 'NOISE_LINE' },
  },
  { fault: 'refuses initialize', run: 'initialize is refused', see: waitedFor('HANDSHAKE_REFUSED') },
  {
    fault: 'answers initialize with nonsense',
    run: 'initialize is answered with nonsense',
    see: { ...waitedFor('HANDSHAKE_REFUSED'), diagnostics: 'BROKEN_FRAME' },
  },
].map((row) => ({ ...emulated, phase: 'handshake', ...row }));

const calls = [
  {
    fault: 'never answers',
    run: 'a call is never answered',
    when: 'deadlineMs',
    see: { ...opensAndGoesOn, call: 'REQUEST_TIMEOUT' },
  },
  {
    fault: 'answers after the deadline',
    run: 'a call is answered after its deadline',
    when: 'deadlineMs',
    see: { ...opensAndGoesOn, call: 'REQUEST_TIMEOUT', diagnostics: 'LATE_ANSWER' },
  },
  {
    fault: 'answers twice',
    run: 'a call is answered twice',
    see: { ...opensAndGoesOn, call: 'answered', diagnostics: 'LATE_ANSWER' },
  },
  { fault: 'refuses', run: 'a call is refused', see: { ...opensAndGoesOn, call: 'REQUEST_REFUSED' } },
  {
    fault: 'answers with nonsense',
    run: 'a call is answered with nonsense',
    see: { ...opensAndGoesOn, call: 'PROTOCOL_ERROR', diagnostics: 'BROKEN_FRAME' },
  },
  {
    fault: 'stops reading',
    run: 'the CLI stops reading',
    when: 'deadlineMs',
    see: { open: 'ready', call: 'REQUEST_TIMEOUT', turn: 'closed', session: 'ended' },
  },
  {
    fault: 'never answers an interrupt',
    run: 'an interrupt is never answered',
    when: 'deadlineMs',
    see: { open: 'ready', call: 'REQUEST_TIMEOUT', turn: 'closed', session: 'ended' },
  },
  {
    fault: 'is killed while a hundred calls wait',
    run: 'a hundred calls wait when the CLI dies',
    see: {
      open: 'ready',
      calls: '100 rejected, 1 cause',
      call: 'CLI_ENDED, signal SIGKILL',
      session: 'ended',
    },
  },
].map((row) => ({ ...emulated, phase: 'call', options: { deadlineMs: 1_000 }, ...row }));

export const wireFaults = [...handshakes, ...strayLines, ...lines, ...results, ...floods, ...calls];
