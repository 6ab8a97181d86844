import { either, kind, kinds, listOf, oneOf, recordOf } from '../../../wire/util/option-checks.js';
import type { ProcessOptions } from './cli-options.js';
import { environmentKind, timesKind } from './option-kinds.js';
import type { OptionTable } from './passing.js';

/** The options about the process: which program, where, with which variables, and how it ends. */
export const processOptionSpecs: OptionTable<ProcessOptions> = {
  cli: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The CLI to run: a path, or a name to look up in PATH.',
  },
  cwd: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The working folder of the CLI; that of the host if not given.',
  },
  ending: {
    kind: timesKind,
    passed: { as: 'spawn' },
    sentence: 'How long each step of the ending may take, in milliseconds: `eofMs`, `termMs`, `killMs`.',
  },
  entrypoint: {
    kind: kinds.text,
    passed: { as: 'variable', name: 'CLAUDE_CODE_ENTRYPOINT', text: (value) => value },
    sentence: 'What the CLI is told about who started it; `coxswain` if not given.',
  },
  env: {
    kind: environmentKind,
    passed: { as: 'spawn' },
    sentence: 'Variables for the CLI; a variable set to undefined is removed.',
  },
  envMode: {
    kind: oneOf('extend', 'replace', 'isolated'),
    passed: { as: 'spawn' },
    sentence:
      'Whether `env` extends the host’s environment (the default), replaces it, or extends a short list of harmless variables.',
  },
  executable: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The program that runs a CLI written in JavaScript; the host’s own Node if not given.',
  },
  executableArgs: {
    kind: listOf(kinds.anyText),
    passed: { as: 'spawn' },
    sentence: 'Arguments for that program, before the path of the CLI.',
  },
  extraArgs: {
    kind: recordOf(
      either(
        kinds.anyText,
        kind('null', (value) => value === null),
      ),
    ),
    passed: { as: 'spawn' },
    sentence: 'Any other flags by name without dashes: a text for a value, null for a switch.',
  },
  maxLineLength: {
    kind: kinds.positiveCount,
    passed: { as: 'spawn' },
    sentence: 'Lines of the CLI longer than this are skipped with a diagnostic; 64 Mi characters by default.',
  },
  maxUnsentBytes: {
    kind: kinds.positiveCount,
    passed: { as: 'spawn' },
    sentence: 'How much may wait for a CLI that does not read before `send` refuses more; 64 MiB by default.',
  },
  onDiagnostic: {
    kind: either(
      kinds.callback,
      kind('null', (value) => value === null),
    ),
    passed: { as: 'spawn' },
    sentence:
      'Told what is worth knowing and is not an error of the caller: skipped lines, callbacks that failed, a process that will not end. A session without it writes failed callbacks to stderr, each once; null keeps it quiet.',
  },
  onStderr: {
    kind: kinds.callback,
    passed: { as: 'spawn' },
    sentence: 'Given what the CLI writes on stderr, as it comes.',
  },
  sandboxed: {
    kind: kinds.flag,
    passed: { as: 'variable', name: 'IS_SANDBOX', text: (value) => (value ? '1' : undefined) },
    sentence: 'Says that this machine may be lost, so that root may bypass permissions.',
  },
};
