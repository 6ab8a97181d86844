// docs/reference/options.md: the option tables of the session and of the subprocess transport as a page.
import { NOTICE, page, table } from './markdown.mjs';
import { grouped } from './option-groups.mjs';
import { typeOf } from './option-types.mjs';

/** Builds the page from the option tables: of the process, of a session, and of a remote one. */
export function optionsPage(processSpecs, sessionSpecs, remoteSpecs, spanOfFlag) {
  // A session may accept more for an option than the CLI, and convert it.
  const names = [...Object.keys(sessionSpecs), ...Object.keys(processSpecs)];
  const specs = Object.fromEntries(
    names.map((name) => [name, { ...processSpecs[name], ...sessionSpecs[name] }]),
  );
  return page(
    '# Options',
    NOTICE,
    'Wrong types, unknown names and impossible combinations fail before anything starts, with an `OPTION_INVALID` error that\n' +
      'names the option. If you leave an option out, nothing is passed and the CLI’s own default applies. The last column says\n' +
      'which flag, variable or `initialize` field of the CLI an option becomes.',
    ...grouped(specs).flatMap(([title, options]) => [`## ${title}`, optionTable(options, spanOfFlag)]),
    '## Remote session',
    'With these options the CLI runs on a [console server](../how-to/remote-sessions.md). Options about the process are refused; the server decides them.',
    optionTable(Object.entries(remoteSpecs), spanOfFlag),
    ISOLATION,
    'Source: `cli-option-table.ts`, `process-option-table.ts` and `initialize-options.ts` in `src/host/cli/options`, `src/host/session/session-option-table.ts`, `src/entry/sdk/remote-session.ts`; groups: `scripts/lib/option-groups.mjs`.',
  );
}

const ISOLATION = `## Isolate from the machine

Without \`settingSources\` no flag is passed, and the CLI loads **all** settings files and CLAUDE.md. An empty list passes the
flag with an empty value, and the CLI loads **none**: use this to isolate a session. \`envMode: 'isolated'\` does the same for the
environment; it keeps basic variables, and the address and key of the model.`;

function optionTable(options, spanOfFlag) {
  const rows = options.map(([name, spec]) => [
    `\`${name}\``,
    typeOf(spec.kind.expected),
    remark(spec, spanOfFlag),
    becomes(spec),
  ]);
  // A column that is empty for all is left out.
  const hasFlags = rows.some(([, , , flags]) => flags !== '');
  const head = ['option', 'type', 'what it does', 'becomes'];
  return hasFlags
    ? table(head, rows)
    : table(
        head.slice(0, -1),
        rows.map((row) => row.slice(0, -1)),
      );
}

function becomes({ passed, field }) {
  if (passed?.as === 'variable') return `variable \`${passed.name}\``;
  const flags = flagsOf(passed).map((flag) => `\`${flag}\``);
  return [...flags, ...(field === undefined ? [] : ['`initialize`'])].join(', ');
}

function flagsOf({ flags, flag } = {}) {
  const all = (flags ?? flag ?? '').split(', ').map((each) => each.replace(/=$/, ''));
  return [...new Set(all)].filter((each) => each !== '');
}

/** The sentence, what changes the option later, and the CLIs that have the flags unless all do. */
function remark({ sentence, passed, later }, spanOfFlag) {
  const limits = flagsOf(passed).filter((flag) => !spanOfFlag(flag).holdsIn(undefined));
  const words = limits.map((flag) => `\`${flag}\`: ${spanOfFlag(flag).inWords ?? 'no CLI yet'}.`);
  return [sentence, ...(later === undefined ? [] : [`Change it later with \`${later}\`.`]), ...words].join(
    ' ',
  );
}
