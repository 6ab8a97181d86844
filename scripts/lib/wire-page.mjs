// docs/reference/wire.md: the catalog as a page.
import { NOTICE, page, table } from './markdown.mjs';

/** Builds the page from the exports of the catalog. */
export function wirePage(catalog, versions) {
  const section = (entries, unserved) => entryTable(Object.values(entries), versions, unserved);
  return page(
    '# The wire',
    NOTICE,
    INTRODUCTION,
    'The columns show three of the probed versions; for all of them, see [which CLI can do what](versions.md).',
    '## Requests from the host',
    UNSERVED,
    section(catalog.hostRequests, reaction),
    '## Requests from the CLI',
    section(catalog.cliRequests),
    '## Messages from the CLI',
    section(catalog.messages),
    '## Messages from the host',
    section(catalog.hostMessages),
    '## Hook events',
    section(catalog.hookEvents),
    'Source: `src/wire/protocol/catalog/`; shapes: `coxswain/protocol/schemas`.',
  );
}

const INTRODUCTION = `Every control request in both directions, every message and every hook event that Coxswain knows.
Anything it does not know is passed on unchanged. **offline** means it was observed with a fake key and no network,
**account** that it needs an account, **declared** that only its declaration has been seen so far.`;

const UNSERVED = `If a version does not support a request, the table says what it does instead: **silent** (never answers), **error**
(answers with an error) or **dies**.`;

function entryTable(entries, versions, unserved = () => '–') {
  const rows = entries.map((entry) => [
    `\`${entry.name}\``,
    ...versions.map((version) => (entry.seen.includes(version) ? 'yes' : unserved(entry, version))),
    entry.reach,
    sentences(entry),
  ]);
  return table(['name', ...versions, 'reach', 'what it is'], rows);
}

function reaction(entry, version) {
  return entry.unserved[version] ?? '–';
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
