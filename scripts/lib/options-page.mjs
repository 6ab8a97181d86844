// docs/reference/options.md: the option tables of the session and of the subprocess transport as a page.
import { NOTICE, page, table } from './markdown.mjs';
import { typeOf } from './option-types.mjs';

/** Builds the page from the option tables: of the process, of a session, and of a remote one. */
export function optionsPage(processSpecs, sessionSpecs, remoteSpecs, spanOfFlag) {
  const own = Object.entries(sessionSpecs).filter(([name]) => !(name in processSpecs));
  const about = Object.entries(processSpecs).filter(([, { passed }]) => passed.as === 'spawn');
  const passed = Object.entries(processSpecs).filter(([, { passed }]) => passed.as !== 'spawn');
  return page(
    '# Options',
    NOTICE,
    'Wrong types, unknown names and impossible combinations fail before anything starts, with an `OPTION_INVALID` error that\n' +
      'names the option. If you leave an option out, nothing is passed and the CLI’s own default applies.',
    ...(own.length === 0 ? [] : ['## Session', plainTable(own)]),
    '## Remote session',
    'With these options the CLI runs on a [console server](../how-to/remote-sessions.md). Process options are refused; the server decides them.',
    plainTable(Object.entries(remoteSpecs)),
    '## Process',
    plainTable(about),
    '## Passed to the CLI',
    table(
      ['option', 'type', 'becomes', 'what it does'],
      // A session may accept more for an option than the CLI, and convert it.
      passed.map(([name, spec]) => {
        const own = { ...spec, ...sessionSpecs[name] };
        return [`\`${name}\``, typeOf(own.kind.expected), becomes(spec.passed), remark(own, spanOfFlag)];
      }),
    ),
    ISOLATION,
    'Source: `src/host/cli/options/cli-option-table.ts` and `process-option-table.ts`, `src/host/session/session-option-table.ts`, `src/entry/sdk/remote-session.ts`.',
  );
}

const ISOLATION = `## Isolate from the machine

Without \`settingSources\` no flag is passed, and the CLI loads **all** settings files and CLAUDE.md. An empty list passes the
flag with an empty value, and the CLI loads **none**: use this to isolate a session. \`envMode: 'isolated'\` does the same for the
environment.`;

function plainTable(entries) {
  const rows = entries.map(([name, { kind, sentence }]) => [`\`${name}\``, typeOf(kind.expected), sentence]);
  return table(['option', 'type', 'what it does'], rows);
}

function becomes(passed) {
  if (passed.as === 'variable') return `variable \`${passed.name}\``;
  return flagsOf(passed)
    .map((flag) => `\`${flag}\``)
    .join(', ');
}

function flagsOf({ flags, flag }) {
  const all = (flags ?? flag ?? '').split(', ').map((each) => each.replace(/=$/, ''));
  return [...new Set(all)].filter((each) => each !== '');
}

/** The sentence, and the CLIs that have the flags unless all do. */
function remark({ sentence, passed }, spanOfFlag) {
  const limits = flagsOf(passed).filter((flag) => !spanOfFlag(flag).holdsIn(undefined));
  const words = limits.map((flag) => `\`${flag}\`: ${spanOfFlag(flag).inWords ?? 'no CLI yet'}.`);
  return [sentence, ...words].join(' ');
}
