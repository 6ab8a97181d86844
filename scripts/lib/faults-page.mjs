// docs/reference/faults.md, from the table of the fault matrix.
import { NOTICE, page, table } from './markdown.mjs';

/** The page of faults: what goes wrong, when, and what the user of a session sees. */
export function faultsPage(faults) {
  const groups = Object.entries(PLAYERS).flatMap(([by, { title, intro }]) => {
    const rows = faults.filter((row) => row.by === by);
    return [`## ${title}`, intro, table(HEAD, rows.map(cells).map(unrepeated))];
  });
  return page(
    '# Faults',
    NOTICE,
    'What a program sees of everything that can go wrong, and how soon. Each line is a test (`npm run faults`), one for\n' +
      'each variant; the words are compared with what the session really said. In **every** line the same is left in the\n' +
      'end: **nothing**. No process of the CLI or of its tools, no handle, timer or listener, no private file.',
    PHASES,
    'In the third column, `open` is what `openSession` or `session.ready` settles with, `turn` the outcome of the turn,\n' +
      '`reader` how its `for await` loop ends, `call` how a control call settles, `messages` how `session.messages()` ends,\n' +
      '`next` the outcome of a further turn, `answer` what the CLI was told, `diagnostics` what `onDiagnostic` got, and\n' +
      '`session` the state afterwards.',
    ...groups,
    RANDOM,
    'Source: `test/faults/table`.',
  );
}

const HEAD = ['fault', 'phase', 'what you see', 'when', 'what is left'];

const PLAYERS = {
  script: {
    title: 'The process',
    intro: 'With a CLI that is a process of its own.',
  },
  emulator: {
    title: 'The wire, the callbacks and the owner',
    intro:
      'With an emulated CLI, of every version it knows unless the fault names some, on a clock that is moved by hand:\n' +
      'what comes at once comes without it moving, and what has a deadline not a millisecond before.',
  },
  host: {
    title: 'The host itself',
    intro: 'With a host that dies while it has a session. The keeper ends what the host has left behind.',
  },
};

const PHASES = table(
  ['phase', 'what the session is doing'],
  [
    ['spawn', 'the process is being started'],
    ['handshake', '`initialize` was sent and not answered'],
    ['idle', 'it is ready, and nothing runs'],
    ['call', 'a control call waits for its answer'],
    ['turn', 'a turn runs'],
    ['prompt', 'a turn waits for a callback'],
    ['tool', 'a turn runs a tool'],
    ['closing', '`close()` was called'],
  ],
);

const RANDOM =
  '## At random\n\n' +
  'Beside the table, CLIs with random faults meet hosts with random habits, and after each run the promises are\n' +
  'checked: each turn and each call settles once, no message that came before the fault is lost or doubled, no request\n' +
  'of the CLI is answered twice, and nothing is left. The seed is in the name of the test; `COXSWAIN_SEED` repeats a run,\n' +
  '`COXSWAIN_RUNS` makes it longer.';

function cells({ fault, phase, each, on, see, when }) {
  const versions = on === undefined ? '' : ` (on ${on.join(', ')})`;
  return [`${named(fault, each)}${versions}`, phase, seen(see), when, 'nothing'];
}

/** A fault is named in the first of its phases. */
function unrepeated([fault, ...rest], index, rows) {
  return [rows[index - 1]?.[0] === fault ? '' : fault, ...rest];
}

/** One variant is named in its place; several are listed behind it. */
function named(fault, each = []) {
  if (each.length < 2) return fault.replaceAll('%s', each[0] ?? '');
  return `${fault.replaceAll('%s', '…')}: ${each.join(', ')}`;
}

function seen(see) {
  return Object.entries(see)
    .map(([what, how]) => `${what}: \`${how.replaceAll('%s', '…')}\``)
    .join('<br>');
}
