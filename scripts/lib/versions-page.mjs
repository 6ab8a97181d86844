// docs/reference/versions.md: which Claude CLI can do what, from the ledger.
import { capabilities, rangesOf, rangesText } from '../../src/lab/conformance/capabilities.ts';
import { NOTICE, page, table } from './markdown.mjs';

/** Builds the page from the ledger and the requirements. */
export function versionsPage(ledger, requirements) {
  const { published, probed, looked, facts, unsteady } = ledger;
  const detail = (id) => {
    const race = Object.hasOwn(unsteady, id) ? `; *race* on ${unsteady[id]}` : '';
    return `${facts[id] ?? ''}${race}`;
  };
  const ranges = (id) => rangesText(rangesOf(ledger, id));
  const listed = (kind) => Object.keys(facts).filter((id) => id.startsWith(`${kind}:`));
  const named = (kind) =>
    listed(kind).map((id) => [`\`${id.slice(kind.length + 1)}\``, ranges(id), detail(id)]);
  const behaviours = Object.keys(requirements).filter(
    (id) => !/^(?:endpoint|hook-event|cache|cost|limits|auto):/.test(id),
  );
  const described = (ids) =>
    ids.map((id) => [requirements[id].behaviour, ranges(id), detail(id), `\`${id}\``]);
  return page(
    '# Which CLI can do what',
    NOTICE,
    `What the Claude CLI does in each of the ${published.length} versions published from ${published[0]} to ${published.at(-1)}, found by
running the real CLIs offline: ${probed.length} were probed in full, and ${looked.length} more to locate changes. "since" names the first
version that has it, "until" the first one that no longer has it. If the last column says *after*, the change is somewhere between
the two versions; if it says *race*, these versions do it in one run and not in the next, and others may too.

To filter, open [versions.html](versions.html), a single file, in any browser. In the terminal, use \`npx coxswain versions\`,
\`--has elicitation\` and \`--cli ./claude\`. In programs, use \`coxswain/ledger.json\`, or \`readLedger()\` and \`factAt()\` of
\`coxswain/conformance\`.`,
    '## At a glance',
    table(
      ['what', 'versions', 'name for `--has`'],
      capabilities.map(({ name, words, fact }) => [words, ranges(fact), `\`${name}\``]),
    ),
    '## Requests from the host',
    `*served*: the CLI answers it. *refused*: the CLI knows it, but refused it as the probe sent it. *unknown*: the CLI answers that
it does not know it. *silent*: the CLI never answers. *ends*: the CLI exits. *named*: it needs an account, but the program contains its name.`,
    table(['request', 'served', 'in detail'], named('request')),
    '## Flags',
    '*listed*: `--help` lists it. *hidden*: the CLI accepts it but does not list it.',
    table(['flag', 'accepted', 'in detail'], named('flag')),
    '## Hook events',
    'Events that no probe can trigger are *named* if the program contains their name.',
    table(['event', 'seen', 'in detail'], named('hook-event')),
    '## Messages and requests from the CLI',
    '*seen*: the probes saw it on the wire. *named*: only the program contains its name.',
    table(['message', 'seen', 'in detail'], [...named('message'), ...named('cli-request')]),
    '## Capabilities that `system/init` reports',
    table(['capability', 'reported', 'in detail'], named('capability')),
    '## Prompt cache and costs',
    `A parked conversation continues in another CLI. What that sends again unchanged, the API reads from its cache; everything after
the first difference is billed like new text. [Costs](../concepts/costs.md) says what that means for you.`,
    table(
      ['behaviour', 'versions', 'in detail', 'fact'],
      described(Object.keys(requirements).filter((id) => /^(?:cache|cost):/.test(id))),
    ),
    '## Usage limits and auto mode',
    `What CLIs with a login report about the [usage limits of a plan](../how-to/limits.md#usage-limits-of-a-plan), and about
[calls that auto mode denies](../how-to/answer-prompts.md#calls-that-auto-mode-denies).`,
    table(
      ['behaviour', 'versions', 'in detail', 'fact'],
      described(Object.keys(requirements).filter((id) => /^(?:limits|auto):/.test(id))),
    ),
    '## Behaviour',
    table(['behaviour', 'versions', 'in detail', 'fact'], described(behaviours)),
    'Source: `src/host/cli/ledger/ledger.json`, written by `npm run ledger`.',
  );
}
