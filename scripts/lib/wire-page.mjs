// docs/reference/wire.md: the catalog as a page.
import { NOTICE, page, table } from './markdown.mjs';
import { firstToRefuse, since } from './since.mjs';

/** Builds the page from the exports of the catalog. */
export function wirePage(catalog) {
  const section = (part) =>
    entryTable(Object.values(catalog[part]), ['since', ({ name }) => since(part, name)]);
  return page(
    '# The wire',
    NOTICE,
    INTRODUCTION,
    SINCE,
    '## Requests from the host',
    UNKNOWN,
    section('hostRequests'),
    '## Requests from the CLI',
    section('cliRequests'),
    '## Messages from the CLI',
    section('messages'),
    '## Messages from the host',
    entryTable(Object.values(catalog.hostMessages)),
    '## Hook events',
    section('hookEvents'),
    'Source: `src/wire/protocol/catalog/` and the ledger; shapes: `coxswain/protocol/schemas`.',
  );
}

const INTRODUCTION = `Every control request in both directions, every message and every hook event that Coxswain knows.
Anything it does not know is passed on unchanged. **offline** means it was observed with a fake key and no network,
**account** that it needs an account, **declared** that only its declaration has been seen so far.`;

const SINCE = `**since** is the first CLI version that has it, of all published ones. [Which CLI can do what](versions.md) says how each
was probed.`;

const UNKNOWN = `CLIs before ${firstToRefuse()} never answer a request that they do not know; newer ones answer with an error.`;

function entryTable(entries, ...columns) {
  const rows = entries.map((entry) => [
    `\`${entry.name}\``,
    ...columns.map(([, cell]) => cell(entry)),
    entry.reach,
    sentences(entry),
  ]);
  return table(['name', ...columns.map(([title]) => title), 'reach', 'what it is'], rows);
}

function sentences({ about, answer, needs, caution, deadlineMs }) {
  return [
    about,
    ANSWERS[answer],
    needs && `Needs: ${sentence(needs)}`,
    caution && `**Caution:** ${sentence(caution)}`,
    deadlineMs && `Default deadline: ${deadlineMs / 1000} s.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const ANSWERS = { ack: 'Answered by a plain ack.', never: 'No answer is expected.' };

function sentence(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
