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
    'What a program sees when something goes wrong, and how soon. Each row is a test (`npm run faults`), one per variant,\n' +
      'that compares the text with what the session really reports. Every test also proves that\n' +
      '**nothing leaks**: no process of the CLI or its tools, no handle, timer or listener, no private file.',
    PHASES,
    'In the third column, `open` is what `openSession` or `session.ready` settles with, `turn` the outcome of the turn,\n' +
      '`reader` how its `for await` loop ends, `call` how a control call settles, `messages` how `session.messages()` ends,\n' +
      '`next` the outcome of a further turn, `answer` the answer sent to the CLI, `diagnostics` what `onDiagnostic` got, and\n' +
      '`session` the state afterwards.',
    ...groups,
    RANDOM,
    'Source: `test/faults/table`.',
  );
}

const HEAD = ['fault', 'phase', 'what you see', 'when', 'leftovers'];

const PLAYERS = {
  script: {
    title: 'The process',
    intro: 'With a CLI in a separate process.',
  },
  emulator: {
    title: 'The wire, the callbacks and the owner',
    intro:
      'With an emulated CLI of every version, unless the fault names some, on a fake clock: immediate reactions happen\n' +
      'without the clock moving, and deadlines not a millisecond early.',
  },
  host: {
    title: 'The host itself',
    intro:
      'With a host that dies while it has a session. The keeper ends the processes that the host left running.',
  },
};

const PHASES = table(
  ['phase', 'what the session is doing'],
  [
    ['spawn', 'the process is being started'],
    ['handshake', '`initialize` was sent but not answered'],
    ['idle', 'it is ready, and nothing runs'],
    ['call', 'a control call is waiting for its answer'],
    ['turn', 'a turn runs'],
    ['prompt', 'a turn waits for a callback'],
    ['tool', 'a turn runs a tool'],
    ['closing', '`close()` was called'],
  ],
);

const RANDOM =
  '## Random faults\n\n' +
  'In addition, random tests combine CLIs that have random faults with hosts that behave at random, and check the guarantees\n' +
  'after each run: each turn and each call settles once, no message from before the fault is lost or repeated, no CLI request\n' +
  'is answered twice, and nothing leaks. The seed is in the name of the test; `COXSWAIN_SEED` repeats a run,\n' +
  '`COXSWAIN_RUNS` makes it longer.';

function cells({ fault, phase, each, on, see, when }) {
  const versions = on === undefined ? '' : ` (on ${on.join(', ')})`;
  return [`${named(fault, each)}${versions}`, phase, seen(see), when, 'none'];
}

/** A fault is named in the first of its phases. */
function unrepeated([fault, ...rest], index, rows) {
  return [rows[index - 1]?.[0] === fault ? '' : fault, ...rest];
}

/** A single variant is inserted in its place; several are listed after it. */
function named(fault, each = []) {
  if (each.length < 2) return fault.replaceAll('%s', each[0] ?? '');
  return `${fault.replaceAll('%s', '…')}: ${each.join(', ')}`;
}

function seen(see) {
  return Object.entries(see)
    .map(([what, how]) => `${what}: \`${how.replaceAll('%s', '…')}\``)
    .join('<br>');
}
