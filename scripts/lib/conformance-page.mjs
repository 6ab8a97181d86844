// docs/reference/conformance.md: requirements by version, from the requirements and the records.
import { NOTICE, page, table } from './markdown.mjs';

/** Builds the page from the exports of the conformance layer and the records of the versions. */
export function conformancePage({ requirements, shapeDifferences }, records) {
  const versions = Object.keys(records);
  const verdictsOf = (id) => versions.map((version) => records[version].verdicts[id]);
  const subjects = bySubject(Object.keys(requirements));
  return page(
    '# Conformance',
    NOTICE,
    INTRODUCTION,
    countsTable(records, versions),
    '## What changed between versions',
    ...pairs(versions).flatMap(([before, after]) => changes({ requirements, records, before, after })),
    '## What changed in shapes',
    'Keys that were added or removed in answers, requests and messages that the same probes saw on both versions.',
    ...pairs(versions).flatMap(([before, after]) =>
      shapeChanges(records, { before, after, shapeDifferences }),
    ),
    '## Requirements',
    ...[...subjects].flatMap(([subject, ids]) => [
      `### ${subject}`,
      table(
        ['requirement', ...versions, 'behaviour'],
        ids.map((id) => {
          const { behaviour } = requirements[id];
          return [`\`${id}\``, ...verdictsOf(id), behaviour];
        }),
      ),
    ]),
    '## The emulator',
    'The same probes run against the emulator in each of these versions, and in others in between. Every verdict and every shape must match the real CLI; no difference is accepted.',
    'Source: `src/lab/conformance/`; records: `docs/reference/conformance/`, written by `scripts/record-conformance.mjs`.',
  );
}

const INTRODUCTION = `How CLIs behave on the control protocol, found by probes that run offline against real CLIs. Each requirement is one
behaviour. **pass** means that the CLI behaves this way, **fail** that it behaves differently, **unsupported** that it says so or lacks
it, **silent** that it never answers, **not-reachable** that it cannot be tested without an account, a browser or a remote service. A
fail is not a judgement: where versions differ, one of them must fail.

Try it on your own CLI of any version: \`npx coxswain probe\` (\`--json\`, \`--markdown\`, \`--only hook\`). The package includes the
shapes on the wire as one JSON Schema per version: \`coxswain/schema/2.1.326.json\`.`;

function bySubject(ids) {
  const subjects = new Map();
  for (const id of ids) {
    const [subject] = id.split(':');
    subjects.set(subject, [...(subjects.get(subject) ?? []), id]);
  }
  return subjects;
}

const KINDS = ['pass', 'fail', 'unsupported', 'silent', 'not-reachable'];

function countsTable(records, versions) {
  const count = (version, kind) =>
    Object.values(records[version].verdicts).filter((verdict) => verdict === kind).length;
  return table(
    ['version', ...KINDS],
    versions.map((version) => [version, ...KINDS.map((kind) => count(version, kind))]),
  );
}

function pairs(versions) {
  return versions.slice(1).map((after, index) => [versions[index], after]);
}

function changes({ requirements, records, before, after }) {
  const [old, now] = [records[before].verdicts, records[after].verdicts];
  const changed = Object.keys(requirements).filter((id) => old[id] !== now[id]);
  const served = changed.filter((id) => id.startsWith('endpoint:') && now[id] === 'pass');
  const rest = changed.filter((id) => !served.includes(id));
  return [
    `### ${before} to ${after}`,
    ...(served.length === 0
      ? []
      : [`Served now: ${served.map((id) => `\`${id.slice('endpoint:'.length)}\``).join(', ')}.`]),
    table(
      ['requirement', before, after, 'behaviour'],
      rest.map((id) => [`\`${id}\``, old[id], now[id], requirements[id].behaviour]),
    ),
  ];
}

function shapeChanges(records, { before, after, shapeDifferences }) {
  const [old, now] = [records[before].shapes, records[after].shapes];
  const rows = Object.keys(old)
    .filter((name) => name in now)
    .map((name) => [name, shapeDifferences(old[name], now[name])])
    .filter(([, paths]) => paths.length > 0)
    .map(([name, paths]) => [name, paths.map(signed).join(', ')]);
  return [`### ${before} to ${after}`, rows.length === 0 ? 'None.' : table(['what', 'keys'], rows)];
}

function signed(path) {
  const [, key, side] = /^(.*) \(only in the (first|second)\)$/.exec(path) ?? [];
  if (key === undefined) return `\`${path}\` changed`;
  return side === 'first' ? `\`${key}\` gone` : `\`${key}\` new`;
}
