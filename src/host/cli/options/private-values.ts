import { writePrivate } from '../../../wire/transport/process/private-files.js';
import type { OnDiagnostic } from '../../../wire/util/diagnostics.js';
import { quiet } from '../../../wire/util/listeners.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import type { Argument } from './passing.js';

/** Linux accepts no single argument longer than 128 KiB. */
const LONGEST_ARGUMENT_BYTES = 128 * 1024 - 1;

/** Windows accepts 32,767 characters for the program and all its arguments; some are reserved for the program and quotes. */
const WINDOWS_CHARACTERS = 31_000;

/**
 * Moves values to private files in a folder, if the CLI accepts a file: every user of the machine can read a command
 * line. The folder is created with the first file. @throws OptionError for another value that is too long.
 */
export function placePrivateValues(
  args: readonly Argument[],
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Argument[] {
  const placed = args.map((argument, index) => {
    const { flag, value = '', takesFile = false } = argument;
    if (takesFile) {
      const path = writePrivate(folder, `${index}${flag.slice(1)}.json`, value);
      return { flag, value: path, isPrivateFile: true };
    }
    const bytes = Buffer.byteLength(value);
    if (bytes + flag.length < LONGEST_ARGUMENT_BYTES) return argument;
    throw new OptionError(
      flag,
      `The value for ${flag} has ${bytes} bytes, and the system accepts at most ${LONGEST_ARGUMENT_BYTES} for one argument.`,
    );
  });
  if (platform === 'win32') checkWhole(placed);
  return placed;
}

function checkWhole(args: readonly Argument[]): void {
  const lengthOf = ({ flag, value = '' }: Argument): number => flag.length + value.length + 4;
  const whole = args.reduce((sum, argument) => sum + lengthOf(argument), 0);
  if (whole <= WINDOWS_CHARACTERS) return;
  const longest = args.reduce((one, other) => (lengthOf(other) > lengthOf(one) ? other : one));
  throw new OptionError(
    longest.flag,
    `The arguments of the CLI have ${whole} characters, and Windows takes at most ${WINDOWS_CHARACTERS}. The longest is ${longest.flag} with ${lengthOf(longest)}.`,
  );
}

/** Reports the values with possible secrets that stay on the command line. */
export function reportExposed(
  args: readonly Argument[],
  cli: string,
  onDiagnostic: OnDiagnostic | null | undefined,
): void {
  for (const { flag, value, secret = false } of args) {
    if (!secret || value === undefined) continue;
    quiet(onDiagnostic)({
      code: 'SECRET_IN_ARGUMENTS',
      message: `The value for ${flag} is on the command line, where every user of the machine can read it: ${cli} takes it in no other way. Keep secrets out of it.`,
      flag,
    });
  }
}
