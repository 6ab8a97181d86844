// docs/reference/versions.md: which Claude CLI can do what, from the ledger.
import { capabilities, rangesOf, rangesText } from '../../src/lab/conformance/capabilities.ts';
import { NOTICE, page, table } from './markdown.mjs';

/** Makes the page from the ledger and the requirements. */
export function versionsPage(ledger, requirements) {
  const { published, probed, looked, facts } = ledger;
  const ranges = (id) => rangesText(rangesOf(ledger, id));
  const listed = (kind) => Object.keys(facts).filter((id) => id.startsWith(`${kind}:`));
  const named = (kind) =>
    listed(kind).map((id) => [`\`${id.slice(kind.length + 1)}\``, ranges(id), facts[id]]);
  const behaviours = Object.keys(requirements).filter((id) => !/^(?:endpoint|hook-event):/.test(id));
  return page(
    '# Which CLI can do what',
    NOTICE,
    `What the Claude CLI does in each of the ${published.length} versions that were published from ${published[0]} to
${published.at(-1)}, found by running the real ones offline: ${probed.length} were probed in full, ${looked.length} more to find the places
of changes. "since" names the first version that has it, "until" the first one that has it no more. Where the last column
says *after*, the change lies somewhere between the two versions.

With a filter: [versions.html](versions.html), one file that any browser opens. In the terminal: \`npx coxswain versions\`, \`--has elicitation\`, \`--cli ./claude\`. For programs: \`coxswain/ledger.json\`, or
\`readLedger()\` and \`factAt()\` of \`coxswain/conformance\`.`,
    '## At a glance',
    table(
      ['what', 'versions', 'name for `--has`'],
      capabilities.map(({ name, words, fact }) => [words, ranges(fact), `\`${name}\``]),
    ),
    '## Requests of the host',
    `*served*: it is answered; *refused*: it is known, but was refused as the probe sent it; *unknown*: an error says that the CLI
does not know it; *silent*: it is never answered; *ends*: the CLI exits; *named*: it needs an account, and the program names it.`,
    table(['request', 'served', 'in detail'], named('request')),
    '## Flags',
    '*listed*: `--help` has it; *hidden*: it is taken, but not listed.',
    table(['flag', 'taken', 'in detail'], named('flag')),
    '## Hook events',
    'Events that no probe can bring about are *named* where the program has their name.',
    table(['event', 'seen', 'in detail'], named('hook-event')),
    '## Messages and requests of the CLI',
    '*seen* on the wire by the probes, or only *named* in the program.',
    table(['message', 'seen', 'in detail'], [...named('message'), ...named('cli-request')]),
    '## Capabilities that `system/init` tells',
    table(['capability', 'told', 'in detail'], named('capability')),
    '## Behaviour',
    table(
      ['behaviour', 'versions', 'in detail', 'fact'],
      behaviours.map((id) => [requirements[id].behaviour, ranges(id), facts[id] ?? '', `\`${id}\``]),
    ),
    'Source: `src/host/cli/ledger/ledger.json`, written by `npm run ledger`.',
  );
}
