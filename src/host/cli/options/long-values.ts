import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OptionError } from '../../../wire/util/option-checks.js';
import type { Argument } from './passing.js';

/** Values longer than this are passed in a file if the CLI accepts one. */
const FILE_ABOVE_BYTES = 8 * 1024;

/** Linux accepts no single argument longer than 128 KiB. */
const LONGEST_ARGUMENT_BYTES = 128 * 1024 - 1;

/** Windows accepts 32,767 characters for the program and all its arguments; some are reserved for the program and quotes. */
const WINDOWS_CHARACTERS = 31_000;

/**
 * Moves long values to private files in a folder, which is created with the first file.
 * @throws OptionError for a value that is too long and has no such way.
 */
export function placeLongValues(
  args: readonly Argument[],
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Argument[] {
  const placed = args.map((argument, index) => {
    const { flag, value = '', fileWhenLong = false } = argument;
    const bytes = Buffer.byteLength(value);
    if (fileWhenLong && bytes > FILE_ABOVE_BYTES) {
      return { flag, value: writePrivate(folder, `${index}${flag.slice(1)}.json`, value) };
    }
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

function writePrivate(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
