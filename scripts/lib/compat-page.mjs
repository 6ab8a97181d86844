// docs/reference/compat.md: what of the official SDK coxswain/compat covers, name by name.
import { NOTICE, page, table } from './markdown.mjs';

/**
 * Builds the page from the official names, the names that we declare, what is not covered and why, notes on methods,
 * our additions, and the accepted differences of the tests.
 */
export function compatPage(parts) {
  const { surface, declared, notOffered, offeredEntries, methodNotes, ownParams } = parts;
  const { differences, typeDifferences } = parts;
  const has = (kind, name) => declared[kind].has(name) && notOffered[kind][name] === undefined;
  const rows = (kind, names, notes = {}) =>
    names.map((name) => row(name, has(kind, name), notOffered[kind][name] ?? notes[name]));
  const values = [...surface.functions, ...surface.classes, ...surface.constants];
  const undeclared = Object.keys(notOffered.exports).filter((name) => !values.includes(name));
  const missing = surface.types.filter((name) => !declared.exports.has(name));
  return page(
    '# What `coxswain/compat` covers',
    NOTICE,
    `Every name that \`${surface.package}\` ${surface.version} declares, and whether \`coxswain/compat\` has it. \`npm run compat\`
compares both in four ways:

- Small programs run on both SDKs against the same emulated CLI (\`test/compat\`).
- The compiler checks our declarations against the official ones (\`test/compat/types.slow.test.ts\`).
- On real CLIs, both SDKs send the model the same requests (\`test/real/compat-official.real.test.ts\`).
- Third-party programs run on ours, on the emulator and on real CLIs: \`@agentclientprotocol/claude-agent-acp\`, and the AI SDK
  with \`ai-sdk-provider-claude-code\` (\`test/compat/programs-of-others.versions.test.ts\`, \`test/real\`).

The programs also run on Bun (\`test/integration/runtimes.slow.test.ts\`).`,
    '## Functions, classes and constants',
    named(rows('exports', values)),
    'Names that are not covered can be imported, and throw a clear error when used. So do these, which the official SDK has but\n' +
      `does not declare: ${undeclared.map((name) => `\`${name}\``).join(', ')}.`,
    '## Options of `query`',
    named(rows('options', surface.options)),
    'Besides `prompt` and `options`, `query` and `startup` take these parameters, which the official SDK does not have:',
    table(
      ['name', 'what it does'],
      Object.entries(ownParams).map(([name, about]) => [`\`${name}\``, about]),
    ),
    '## Methods of a query',
    named(rows('methods', surface.methods, methodNotes)),
    '## Types',
    `${surface.types.length - missing.length} of ${surface.types.length} types are declared under the same names.${absent(missing)}`,
    '## Other entries',
    'Importing one that is not covered from `coxswain/compat` fails when the program loads: Node names the missing entry\n' +
      '(`ERR_PACKAGE_PATH_NOT_EXPORTED`).',
    named([
      ...Object.entries(offeredEntries).map(([name, ours]) => row(name, true, `\`coxswain/compat${ours}\``)),
      ...Object.entries(notOffered.entries).map(([name, why]) => row(name, false, why)),
    ]),
    '## The preview interface',
    'Versions from 0.1.54 on had a preview of another interface, which the newest version no longer has. It is not covered:',
    named(Object.entries(notOffered.preview).map(([name, why]) => row(name, false, why))),
    '## Accepted differences',
    'Where programs behave differently than with the official SDK. A difference that is not listed fails the tests,\n' +
      'and so does a listed one that no longer occurs.',
    bullets(differences.map(({ reason }) => reason)),
    '## Accepted type differences',
    typeDifferences.length === 0 ? 'None.' : table(['types', 'where', 'why'], typeDifferences.map(typeRow)),
    'Source: `test/compat/official-surface.json`, `src/entry/compat/offered.ts`, `test/compat/accepted-differences.json`,\n' +
      '`test/compat/accepted-type-differences.json`.',
  );
}

function row(name, isCovered, note = '') {
  return [`\`${name}\``, isCovered ? 'yes' : 'no', note.charAt(0).toUpperCase() + note.slice(1)];
}

function named(rows) {
  return table(['name', 'covered', 'note'], rows);
}

function absent(names) {
  return names.length === 0 ? '' : ` These are not: ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

function bullets(sentences) {
  return sentences.map((sentence) => `- ${sentence}`).join('\n');
}

function typeRow({ names, direction, reason }) {
  return [names.map((name) => `\`${name}\``).join(', '), direction, reason];
}
