// Faults of a CLI process: it is killed, exits, closes its pipes, or does not exit.

/** The signals that end a process which does not catch them. */
const SIGNALS = 'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV PIPE ALRM TERM XCPU SYS'.split(' ');

const killed = {
  fault: 'killed by SIG%s',
  each: SIGNALS,
  by: 'script',
  run: 'kill -s %s $$',
  when: 'immediately',
};
const exits = {
  fault: 'exits with code %s and says why on stderr',
  each: ['0', '1', '127'],
  by: 'script',
  run: 'echo "disk on fire" >&2; exit %s',
  when: 'immediately',
};

const SAID = ', stderr "disk on fire"';

/** What the user sees in each phase when the CLI is gone, by `how`: `signal SIG%s` or `exit code %s`. */
function gone(family, how, said = '') {
  const open = `HANDSHAKE_ENDED${said}`;
  const ended = `CLI_ENDED, ${how}`;
  const turn = { turn: `cli-ended: ${ended}`, reader: ended };
  return [
    { ...family, phase: 'spawn', see: { open, session: 'ended' } },
    { ...family, phase: 'handshake', see: { open, session: 'ended' } },
    { ...family, phase: 'idle', see: { open: 'ready', messages: ended, session: 'ended' } },
    { ...family, phase: 'call', see: { open: 'ready', call: ended, session: 'ended' } },
    { ...family, phase: 'turn', see: { open: 'ready', ...turn, session: 'ended' } },
    { ...family, phase: 'prompt', see: { open: 'ready', prompt: 'withdrawn', ...turn, session: 'ended' } },
    { ...family, phase: 'tool', see: { open: 'ready', prompt: 'answered', ...turn, session: 'ended' } },
    { ...family, phase: 'closing', see: { open: 'ready', close: 'done', session: 'ended' } },
  ];
}

const going = [
  {
    fault: 'ignores the end of its input',
    phase: 'closing',
    by: 'script',
    run: 'exec sleep 300',
    when: 'after ending.eofMs',
    see: { open: 'ready', close: 'done', session: 'ended' },
  },
  {
    fault: 'ignores the end of its input and SIGTERM',
    phase: 'closing',
    by: 'script',
    // A shell answers a signal while it waits for a child in the background, but not while a program in the foreground runs.
    run: "trap 'saw SIGTERM' TERM; saw eof; while :; do sleep 300 & wait; done",
    // Long enough for the script to notice each, even on a busy machine.
    options: { ending: { eofMs: 1_000, termMs: 1_000, killMs: 5_000 } },
    when: 'after ending.eofMs and ending.termMs',
    see: { open: 'ready', close: 'done', said: 'eof, SIGTERM', session: 'ended' },
  },
  {
    fault: 'is stopped by SIGSTOP',
    phase: 'turn',
    by: 'script',
    run: 'kill -s STOP $$',
    when: 'after ending.eofMs and ending.termMs',
    see: { open: 'ready', close: 'done', turn: 'closed', reader: 'ends', session: 'ended' },
  },
  {
    fault: 'floods its output',
    phase: 'closing',
    by: 'script',
    run: 'while :; do saw flood; done',
    when: 'after ending.eofMs',
    see: { open: 'ready', close: 'done', said: 'flood', session: 'ended' },
  },
  {
    fault: 'leaves a grandchild that holds its pipes',
    phase: 'turn',
    by: 'script',
    run: 'setsid sleep 300 & exit 0',
    when: 'immediately',
    see: {
      open: 'ready',
      turn: 'cli-ended: CLI_ENDED, exit code 0',
      reader: 'CLI_ENDED, exit code 0',
      session: 'ended',
    },
  },
];

const pipes = [
  {
    fault: 'closes its output and stays',
    phase: 'handshake',
    by: 'script',
    run: 'exec >&-; exec sleep 300',
    when: 'after one second and ending.eofMs',
    see: { open: 'HANDSHAKE_ENDED', session: 'ended' },
  },
  {
    fault: 'closes its output and stays',
    phase: 'turn',
    by: 'script',
    run: 'exec >&-; exec sleep 300',
    when: 'after one second and ending.eofMs',
    see: {
      open: 'ready',
      turn: 'cli-ended: CLI_ENDED, signal SIGTERM',
      reader: 'CLI_ENDED, signal SIGTERM',
      session: 'ended',
    },
  },
  {
    fault: 'closes its input and stays',
    phase: 'idle',
    by: 'script',
    run: 'exec sleep 300 <&-',
    when: 'two seconds after the broken pipe',
    see: {
      open: 'ready',
      call: 'TRANSPORT_CLOSED',
      turn: 'cli-ended: TRANSPORT_CLOSED',
      reader: 'TRANSPORT_CLOSED',
      session: 'ended',
    },
  },
  {
    fault: 'closes its input and stays',
    phase: 'prompt',
    by: 'script',
    run: 'exec sleep 300 <&-',
    when: 'two seconds after the broken pipe',
    see: {
      open: 'ready',
      prompt: 'answered',
      turn: 'cli-ended: TRANSPORT_CLOSED',
      reader: 'TRANSPORT_CLOSED',
      diagnostics: 'ANSWER_NOT_SENT',
      session: 'ended',
    },
  },
  {
    fault: 'writes half a line and exits',
    phase: 'turn',
    by: 'script',
    run: `printf '{"type":"assis'; exit 1`,
    when: 'immediately',
    see: {
      open: 'ready',
      turn: 'cli-ended: CLI_ENDED, exit code 1',
      reader: 'CLI_ENDED, exit code 1',
      diagnostics: 'NOISE_LINE',
      session: 'ended',
    },
  },
  {
    fault: 'writes a whole line without a newline and exits',
    phase: 'turn',
    by: 'script',
    run: `printf '{"type":"result","subtype":"success","is_error":false,"result":"last words"}'; exit 0`,
    when: 'immediately',
    see: { open: 'ready', turn: 'success: last words', reader: 'ends', session: 'ended' },
  },
  {
    fault: 'writes a line over the limit',
    phase: 'turn',
    by: 'script',
    run: `printf '{"type":"assistant","x":"%0200000d"}\\n' 0; result`,
    options: { maxLineLength: 100_000 },
    when: 'immediately',
    see: {
      open: 'ready',
      turn: 'success: done',
      reader: 'ends',
      diagnostics: 'LINE_TOO_LONG',
      session: 'ready',
    },
  },
  {
    fault: 'floods stderr',
    phase: 'turn',
    by: 'script',
    run: 'head -c 5000000 /dev/zero | tr "\\0" e >&2; result',
    when: 'immediately',
    see: { open: 'ready', turn: 'success: done', reader: 'ends', session: 'ready' },
  },
];

const surroundings = [
  {
    fault: 'is closed by its owner before it runs',
    phase: 'spawn',
    by: 'script',
    run: 'exec sleep 300',
    when: 'after ending.eofMs',
    see: { open: 'SESSION_ENDED', close: 'done', session: 'ended' },
  },
  {
    fault: 'its working folder is removed while it runs',
    phase: 'turn',
    by: 'script',
    run: 'rm -r "$PWD"; result',
    when: 'immediately',
    see: {
      open: 'ready',
      turn: 'success: done',
      reader: 'ends',
      reopen: 'CWD_INVALID',
      session: 'ended',
    },
  },
  {
    fault: 'does not exist',
    phase: 'spawn',
    by: 'script',
    run: '',
    options: { cli: '/nonexistent/claude' },
    when: 'immediately',
    see: { open: 'CLI_NOT_FOUND', session: 'ended' },
  },
  {
    fault: 'is a file that cannot be executed',
    phase: 'spawn',
    by: 'script',
    run: '',
    options: { cli: '/etc/passwd' },
    when: 'immediately',
    see: { open: 'CLI_NOT_EXECUTABLE', session: 'ended' },
  },
  {
    fault: 'is started in a folder that does not exist',
    phase: 'spawn',
    by: 'script',
    run: '',
    options: { cwd: '/nonexistent' },
    when: 'immediately',
    see: { open: 'CWD_INVALID', session: 'ended' },
  },
];

export const processFaults = [
  ...gone(killed, 'signal SIG%s'),
  ...gone(exits, `exit code %s${SAID}`, SAID),
  ...going,
  ...pipes,
  ...surroundings,
];
