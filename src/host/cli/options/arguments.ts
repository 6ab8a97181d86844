import { OptionError } from '../../../wire/util/option-checks.js';
import { type Capabilities, capabilitiesOf } from '../capabilities.js';
import { spanOfFlag } from '../known-facts.js';
import { cliOptionSpecs } from './cli-option-table.js';
import type { CliOptions } from './cli-options.js';
import { fileOrText } from './option-arguments.js';
import type { Argument, CliOptionSpec, Given, Passing, PassingContext } from './passing.js';

/** What every CLI gets: the control protocol on stdin and stdout. */
const BASE_ARGUMENTS: readonly Argument[] = [
  { flag: '--output-format', value: 'stream-json' },
  { flag: '--verbose' },
  { flag: '--input-format', value: 'stream-json' },
];

/** What the options turn into. */
export interface Passed {
  readonly arguments: readonly Argument[];
  readonly variables: Readonly<Record<string, string>>;
}

/** An unknown CLI: every flag is passed, and the CLI itself refuses those that it lacks. */
const ANY_CLI = capabilitiesOf({ version: undefined });

/**
 * Turns checked options into flags and variables, in the order of the table.
 * @throws OptionError for an option that this CLI is known not to have.
 */
export function passOptions(options: CliOptions, capabilities: Capabilities = ANY_CLI): Passed {
  const context: PassingContext = { options, capabilities };
  const passed = Object.keys(cliOptionSpecs)
    .filter(isOptionName)
    .map((name) => passOne(name, context));
  const args = [...BASE_ARGUMENTS, ...passed.flatMap((each) => each.arguments)];
  return {
    arguments: [...args, ...extraArguments(options.extraArgs ?? {})].map(checkText),
    variables: Object.assign({ CLAUDE_CODE_ENTRYPOINT: 'coxswain' }, ...passed.map((each) => each.variables)),
  };
}

/** Whether some CLIs do not know some of these arguments, so that the version should be checked first. */
export function needsVersion(args: readonly Argument[]): boolean {
  return args.some((argument) => spellings(argument).some((flag) => !ANY_CLI.takesFlag(flag)));
}

function isOptionName(name: string): name is keyof CliOptions {
  return Object.hasOwn(cliOptionSpecs, name);
}

function passOne<Name extends keyof CliOptions>(name: Name, context: PassingContext): Passed {
  const spec: CliOptionSpec<NonNullable<Required<CliOptions>[Name]>> = cliOptionSpecs[name];
  const options: Given<CliOptions> = context.options;
  const value = options[name];
  if (value === undefined || value === null) return { arguments: [], variables: {} };
  const { passed } = spec;
  if (passed.as !== 'variable') {
    const args = toArguments(passed, value, context);
    refuseAbsent(name, args, context.capabilities);
    return { arguments: args, variables: {} };
  }
  const text = passed.text(value);
  return { arguments: [], variables: text === undefined ? {} : { [passed.name]: text } };
}

/** A CLI exits immediately on an unknown flag or value, and does not always say why. */
function refuseAbsent(name: string, args: readonly Argument[], capabilities: Capabilities): void {
  if (capabilities.version === undefined) return;
  const absent = args.flatMap(spellings).find((flag) => !capabilities.takesFlag(flag));
  if (absent === undefined) return;
  const known = spanOfFlag(absent).inWords;
  throw new OptionError(
    name,
    `${capabilities.name} does not support option "${name}" (no ${absent}): remove it${known === undefined ? '' : `, or use ${known}`}.`,
  );
}

/** The ledger's names of an argument: its flag, and for the permission mode the value too. */
function spellings({ flag, value }: Argument): readonly string[] {
  const withValue = `${flag}=${value}`;
  // A value that no CLI was seen to have is unknown: it may not have been tried everywhere.
  const isKnown = flag === '--permission-mode' && spanOfFlag(withValue).inWords !== undefined;
  return isKnown ? [flag, withValue] : [flag];
}

function toArguments<Value>(
  passed: Passing<Value>,
  value: Value,
  context: PassingContext,
): readonly Argument[] {
  switch (passed.as) {
    case 'value':
      return [{ flag: passed.flag, value: String(value) }];
    case 'switch':
      return value === true ? [{ flag: passed.flag }] : [];
    case 'off-switch':
      return value === false ? [{ flag: passed.flag }] : [];
    case 'list':
      return [{ flag: passed.flag, value: listOfTexts(value).join(',') }];
    case 'each':
      return listOfTexts(value).map((each) => ({ flag: passed.flag, value: each }));
    case 'arguments':
      return passed.build(value, context);
    case 'variable':
    case 'spawn':
      return [];
  }
}

function listOfTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function extraArguments(extra: NonNullable<CliOptions['extraArgs']>): Argument[] {
  return Object.entries(extra).map(([name, value]) => {
    const flag = `--${name}`;
    if (value === null) return { flag };
    if (typeof value !== 'string') return { flag, value: value.privateFile, takesFile: true, secret: true };
    if (TAKES_FILE.has(name)) return fileOrText(flag, value);
    return { flag, value, secret: SECRET_NAME.test(name) };
  });
}

/** On every probed CLI. For `--managed-settings` they ignore the path of a file silently. */
const TAKES_FILE: ReadonlySet<string> = new Set(['mcp-config', 'settings']);

const SECRET_NAME = /key|token|secret|password|auth|settings|config|agents|system-prompt$/i;

/** The system refuses arguments with NUL, and its error does not name the argument. */
function checkText(argument: Argument): Argument {
  if (argument.value?.includes('\0') !== true) return argument;
  throw new OptionError(argument.flag, `The value for ${argument.flag} contains a NUL character.`);
}
