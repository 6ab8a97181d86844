import { OptionError } from '../../../wire/util/option-checks.js';
import { compareVersions } from '../../../wire/util/versions.js';
import { cliOptionSpecs } from './cli-option-table.js';
import type { CliOptions } from './cli-options.js';
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

/**
 * Turns checked options into flags and variables, in the order of the table.
 * @throws OptionError for an option that this version of the CLI is known not to have.
 */
export function passOptions(options: CliOptions, version?: string): Passed {
  const context: PassingContext = { options, version };
  const passed = Object.keys(cliOptionSpecs)
    .filter(isOptionName)
    .map((name) => passOne(name, context));
  const args = [...BASE_ARGUMENTS, ...passed.flatMap((each) => each.arguments)];
  return {
    arguments: [...args, ...extraArguments(options.extraArgs ?? {})].map(checkText),
    variables: Object.assign({ CLAUDE_CODE_ENTRYPOINT: 'coxswain' }, ...passed.map((each) => each.variables)),
  };
}

function isOptionName(name: string): name is keyof CliOptions {
  return Object.hasOwn(cliOptionSpecs, name);
}

function passOne<Name extends keyof CliOptions>(name: Name, context: PassingContext): Passed {
  const spec: CliOptionSpec<NonNullable<Required<CliOptions>[Name]>> = cliOptionSpecs[name];
  const options: Given<CliOptions> = context.options;
  const value = options[name];
  if (value === undefined || value === null) return { arguments: [], variables: {} };
  refuseAbsent(name, spec, value, context.version);
  const { passed } = spec;
  if (passed.as !== 'variable') return { arguments: toArguments(passed, value, context), variables: {} };
  const text = passed.text(value);
  return { arguments: [], variables: text === undefined ? {} : { [passed.name]: text } };
}

function refuseAbsent<Value>(
  name: string,
  { absentIn, absentFor = () => true }: CliOptionSpec<Value>,
  value: Value,
  version: string | undefined,
): void {
  if (absentIn === undefined || version === undefined || value === false) return;
  if (compareVersions(version, absentIn) > 0 || !absentFor(value)) return;
  throw new OptionError(
    name,
    `Option "${name}" is not known to CLI ${version}, which would exit at once: leave it out, or use a newer CLI.`,
  );
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

function extraArguments(extra: Readonly<Record<string, string | null>>): Argument[] {
  return Object.entries(extra).map(([name, value]) => {
    const flag = `--${name}`;
    return value === null ? { flag } : { flag, value, secret: SECRET_NAME.test(name) };
  });
}

const SECRET_NAME = /key|token|secret|password|auth|settings|config/i;

/** The system refuses arguments with NUL, with an error that names none of them. */
function checkText(argument: Argument): Argument {
  if (argument.value?.includes('\0') !== true) return argument;
  throw new OptionError(argument.flag, `The value for ${argument.flag} contains a NUL character.`);
}
