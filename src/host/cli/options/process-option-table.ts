import { either, kind, kinds, listOf, oneOf, recordOf, shapeOf } from '../../../wire/util/option-checks.js';
import type { ProcessOptions } from './cli-options.js';
import { environmentKind, spawnerKind, timesKind } from './option-kinds.js';
import type { OptionTable } from './passing.js';

/** The options about the process: the program, its folder and variables, and its shutdown. */
export const processOptionSpecs = {
  cli: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The CLI to run: a path, or a name to look up in PATH.',
    actsOn: 'process',
    remotely: 'refused',
  },
  configDir: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence:
      'A config folder for this CLI alone: settings, memory, plugins and transcripts. The login stays where it is without this option, because a copy would end when the other is renewed; old CLIs find none (`LOGIN_NOT_FOUND`). Default: the folder that `env` names, or `~/.claude`.',
    actsOn: 'process',
    remotely: 'refused',
  },
  cwd: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The working folder of the CLI. Default: the host’s.',
    stored: true,
  },
  ending: {
    kind: timesKind,
    passed: { as: 'spawn' },
    sentence: 'How long each shutdown step may take, in milliseconds: `eofMs`, `termMs`, `killMs`.',
    actsOn: 'process',
    remotely: 'ignored',
  },
  entrypoint: {
    kind: kinds.text,
    passed: { as: 'variable', name: 'CLAUDE_CODE_ENTRYPOINT', text: (value) => value },
    sentence: 'How the host identifies itself to the CLI. Default: `coxswain`.',
  },
  env: {
    kind: environmentKind,
    passed: { as: 'spawn' },
    sentence: 'Variables for the CLI; a variable set to undefined is removed.',
    remotely: 'refused',
  },
  envMode: {
    kind: oneOf('extend', 'replace', 'isolated'),
    passed: { as: 'spawn' },
    sentence:
      'Whether `env` extends the host’s environment, replaces it, or extends a short list: basic variables, and the address and key of the model. Default: `extend`.',
    remotely: 'refused',
  },
  executable: {
    kind: kinds.text,
    passed: { as: 'spawn' },
    sentence: 'The program that runs a CLI written in JavaScript. Default: the host’s own Node.',
    actsOn: 'process',
    remotely: 'refused',
  },
  executableArgs: {
    kind: listOf(kinds.anyText),
    passed: { as: 'spawn' },
    sentence: 'Arguments for that program, before the path of the CLI.',
    actsOn: 'process',
    remotely: 'refused',
  },
  extraArgs: {
    kind: recordOf(
      either(
        kinds.anyText,
        kind('null', (value) => value === null),
        shapeOf(
          { privateFile: kinds.anyText },
          { required: ['privateFile'], expected: '{ privateFile: a text }' },
        ),
      ),
    ),
    passed: { as: 'spawn' },
    sentence:
      'Other flags, by name without dashes: a string for a value, null for a switch, `{ privateFile: text }` for the path of a file with this text that only you can read and that is removed with the CLI.',
    remotely: 'refused',
  },
  maxLineLength: {
    kind: kinds.positiveCount,
    passed: { as: 'spawn' },
    sentence: 'CLI lines longer than this are skipped with a diagnostic. Default: 64 Mi characters.',
    actsOn: 'process',
    remotely: 'ignored',
  },
  maxUnsentBytes: {
    kind: kinds.positiveCount,
    passed: { as: 'spawn' },
    sentence:
      'How many bytes may wait for a CLI that does not read before `send` refuses more. Default: 64 MiB.',
    actsOn: 'process',
    remotely: 'ignored',
  },
  onDiagnostic: {
    kind: either(
      kinds.callback,
      kind('null', (value) => value === null),
    ),
    passed: { as: 'spawn' },
    sentence:
      'Receives diagnostics: skipped lines, failed callbacks, a process that does not end. Without it, a session writes each failed callback to stderr once; null turns that off.',
    remotely: 'ignored',
  },
  onStderr: {
    kind: kinds.callback,
    passed: { as: 'spawn' },
    sentence: 'Receives what the CLI writes to stderr.',
    actsOn: 'process',
    remotely: 'ignored',
  },
  spawner: {
    kind: spawnerKind,
    passed: { as: 'spawn' },
    sentence:
      "Where and as whom the CLI runs: a sandbox, a container or another machine, from `coxswain/spawners`. It gets the environment of `envMode: 'isolated'` unless you set another. Default: a process of this user on this machine.",
    actsOn: 'process',
    remotely: 'refused',
  },
  sandboxed: {
    kind: kinds.flag,
    passed: { as: 'variable', name: 'IS_SANDBOX', text: (value) => (value ? '1' : undefined) },
    sentence: 'Declares this machine disposable, so that root may bypass permissions.',
    remotely: 'refused',
  },
} as const satisfies OptionTable<ProcessOptions>;
