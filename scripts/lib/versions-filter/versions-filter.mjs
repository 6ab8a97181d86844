// docs/reference/versions.html: the ledger as one page with a filter, in a self-contained file.
import { readFileSync } from 'node:fs';
import { capabilities, rangesOf, rangesText } from '../../../src/lab/conformance/capabilities.ts';

/** The kinds of facts by the prefix of their ids; all others are behaviour. */
const KINDS = {
  request: 'request of the host',
  flag: 'flag',
  'hook-event': 'hook event',
  message: 'message',
  'cli-request': 'request of the CLI',
  capability: 'capability that system/init tells',
};
const GLANCE = 'at a glance';
const BEHAVIOUR = 'behaviour';
/** Facts that another kind already covers. */
const TOLD_TWICE = /^endpoint:/;

/** Builds the page from the ledger and the requirements. */
export function versionsFilter(ledger, requirements) {
  const { published, facts } = ledger;
  const row = (kind, name, words, id) => ({
    kind,
    name,
    words,
    versions: rangesText(rangesOf(ledger, id)),
    detail: facts[id] ?? '',
    ranges: rangesOf(ledger, id).map(({ since, until }) => [
      published.indexOf(since),
      until === undefined ? published.length : published.indexOf(until),
    ]),
  });
  const rows = [
    ...capabilities.map(({ name, words, fact }) => row(GLANCE, name, words, fact)),
    ...Object.keys(facts)
      .filter((id) => !TOLD_TWICE.test(id))
      .map((id) => factRow(id, requirements, row)),
  ];
  const data = { published, kinds: [GLANCE, ...Object.values(KINDS), BEHAVIOUR], rows };
  return filled({
    first: published[0],
    last: published.at(-1),
    scripts: `<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script>
${read('filter.js')}</script>`,
  });
}

function factRow(id, requirements, row) {
  const start = id.slice(0, id.indexOf(':'));
  const words = requirements[id]?.behaviour ?? '';
  return start in KINDS
    ? row(KINDS[start], id.slice(start.length + 1), words, id)
    : row(BEHAVIOUR, id, words, id);
}

function filled(parts) {
  return read('page.html').replaceAll(/<!-- (\w+) -->/g, (_, name) => parts[name]);
}

function read(name) {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}
