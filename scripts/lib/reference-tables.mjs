// The smaller generated tables and pages, as functions from data to Markdown.
import { remedies } from './error-remedies.mjs';
import { NOTICE, page, table } from './markdown.mjs';

/** The entry points for programs, for the README: those that need no reason (`why`) to be apart. */
export function entryPointsTable(entryPoints) {
  const rows = Object.entries(entryPoints)
    .filter(([, { why }]) => why === undefined)
    .map(([entryPoint, { is }]) => [nameOf(entryPoint), sentenceAbout(entryPoint, is)]);
  return table(['entry point', 'what it offers'], rows);
}

/** docs/reference/for-authors-of-tools.md */
export function authorsPage(entryPoints) {
  const all = Object.entries(entryPoints);
  const rows = all
    .filter(([, { why }]) => why !== undefined)
    .map(([entryPoint, { is, why }]) => [nameOf(entryPoint), sentenceAbout(entryPoint, is), why]);
  const needs = all.map(([entryPoint, { npm, node }]) => [
    nameOf(entryPoint),
    [node ? 'Node' : 'any JavaScript', ...npm.map((name) => `\`${name}\``)].join(', '),
  ]);
  return page(
    '# For authors of tools',
    NOTICE,
    'Most programs need only `coxswain` and [the five entry points next to it](../../README.md#entry-points). These are for\n' +
      'programs that look at the wire, run CLIs their own way, or connect Coxswain to something else. All are in the same package.',
    table(['entry point', 'what it offers', 'why it is separate'], rows),
    '## What each entry point loads',
    'An entry point loads only what it needs: these packages on import, all others when they are used.\n' +
      'Packages that do not come with Coxswain are optional peers; the error of a missing one names it.',
    table(['entry point', 'needs'], needs),
    '## Data',
    '`coxswain/ledger.json` has [what each CLI version can do](versions.md). `coxswain/schema/<version>.json` describes the\n' +
      'wire of a version as JSON Schema.',
    'Source: `api/entry-points.json`.',
  );
}

const nameOf = (entryPoint) => `\`${entryPoint.replace(/^\./, 'coxswain')}\``;
const sentenceAbout = (entryPoint, is) =>
  needed(is, `api/entry-points.json needs a sentence "is" for ${entryPoint}`);

/** Who may import whom, for ARCHITECTURE.md. */
export function layersTable(floors, layers) {
  const floorRows = floors.map(({ name, is, on, rooms }) => [
    `\`${name}\``,
    needed(is, `architecture.json needs a sentence "is" for ${name}`),
    rooms.join(', ') || '–',
    on.join(', ') || '–',
  ]);
  const rows = layers.map(({ path, is, may, pure, npm = [] }) => [
    `\`${path}\``,
    `${needed(is, `architecture.json needs a sentence "is" for ${path}`)}${pure ? ' (pure)' : ''}`,
    may.join(', ') || '–',
    npm.join(', ') || '–',
  ]);
  return [
    table(['layer', 'what it is', 'parts', 'depends on'], floorRows),
    table(['part', 'what it is', 'may import', 'npm packages'], rows),
  ].join('\n');
}

/** The states of a session and the steps between them, for ARCHITECTURE.md. */
export function statesTable(steps) {
  const rows = Object.entries(steps).map(([state, next]) => [
    state,
    Object.entries(next)
      .map(([step, to]) => `${step} → **${to}**`)
      .join(', '),
  ]);
  return table(['state', 'what happens → next state'], rows);
}

/** docs/reference/errors.md */
export function errorsPage(codes, hints) {
  const rows = Object.entries(codes).map(([code, sentence]) => [
    `\`${code}\``,
    sentence,
    remedies[code] ??
      sentenceOf(needed(hints[code], `scripts/lib/error-remedies.mjs needs a sentence for ${code}`)),
  ]);
  return page(
    '# Error codes',
    NOTICE,
    'Every error that Coxswain throws is a `CoxswainError`. Match on `error.code`: codes are stable, messages are not.\n' +
      'The message says what went wrong, where, and what to do; `error.cause` has the underlying error. Flags in the\n' +
      'last column are those of the command line: in a program, `--cli` is the option `cli`, and so on.\n' +
      'More: [troubleshooting](../help/troubleshooting.md).',
    table(['code', 'meaning', 'what to do'], rows),
    'A console server answers HTTP requests with these codes, and with [a few of its own](http-api.md).',
    'Source: `src/wire/util/error-codes.ts`, `src/command/explain-error.ts` and `scripts/lib/error-remedies.mjs`.',
  );
}

/** docs/reference/diagnostics.md */
export function diagnosticsPage(codes) {
  const rows = Object.entries(codes).map(([code, sentence]) => [`\`${code}\``, sentence]);
  return page(
    '# Diagnostics',
    NOTICE,
    'A diagnostic reports something that is worth knowing but is not an error. Nothing is thrown, and the session continues.\n' +
      'Receive diagnostics with `onDiagnostic`. Without it, a session writes each failed callback to stderr once; `onDiagnostic: null`\n' +
      'turns that off. Each diagnostic has a `code`, a `message`, and its own fields.',
    table(['code', 'meaning'], rows),
    '## Notes of console sessions',
    'The log of a console session also has notes, which have a `code` as well: that of a diagnostic or an error, or one of these.',
    table(['code', 'meaning'], NOTES),
    'Source: `src/wire/util/diagnostic-codes.ts`.',
  );
}

const NOTES = [
  [
    '`MESSAGES_MISSED`',
    'Messages were written while no server was running; they follow, read from the transcript.',
  ],
  ['`MESSAGE_LOST`', 'A message may not have reached the CLI before the server was killed.'],
  [
    '`FLEET_NOT_SAVED`',
    'A worker of a fleet could not save the transcript or the files after a turn; another worker would continue from the turn before.',
  ],
];

function sentenceOf(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

function needed(value, complaint) {
  if (typeof value !== 'string') throw new Error(complaint);
  return value;
}
