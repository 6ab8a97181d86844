import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { filterTrace, type TraceFilter } from '../../trace/look/filter.js';
import type { FrameNote } from '../../trace/look/frame-notes.js';
import { requestIdOf } from '../../trace/look/label.js';
import { traceInfo } from '../../trace/look/trace-info.js';
import { CoxswainError } from '../../util/errors.js';
import { plain } from '../../util/plain.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { parseCount } from './parse.js';
import { type FilterFlags, filterOf, withFilters } from './trace-filter.js';
import { infoText, jsonLine, lookOf, noteJson, noteText } from './trace-print.js';

/** `coxswain trace info`. */
export function infoSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('info')
    .description('Say what a recording holds.')
    .argument('<file>', 'a recording')
    .option('--json', 'print JSON')
    .action(async (file: string, { json }: { json?: boolean }) => {
      const info = await traceInfo(resolve(surroundings.cwd, file));
      surroundings.writeOut(json === true ? jsonLine(info) : infoText(info));
      setExitCode(EXIT_OK);
    });
}

/** `coxswain trace list`. */
export function listSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return withFilters(
    new Command('list').description('List the lines of a recording.').argument('<file>', 'a recording'),
  )
    .option('--json', 'print one JSON object per line')
    .action(async (file: string, flags: FilterFlags) => {
      await printNotes(file, filterOf(flags), flags, surroundings);
      setExitCode(EXIT_OK);
    });
}

/** `coxswain trace grep`. */
export function grepSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  const command = new Command('grep')
    .description('List the lines of a recording that a pattern fits.')
    .argument('<pattern>', 'a regular expression, looked for in the raw line', parsePattern)
    .argument('<file>', 'a recording')
    .option('-i, --ignore-case', 'make no difference between small and capital letters');
  return withFilters(command)
    .option('--json', 'print one JSON object per line')
    .action(async (pattern: RegExp, file: string, flags: FilterFlags & { readonly ignoreCase?: boolean }) => {
      const text = flags.ignoreCase === true ? new RegExp(pattern.source, 'i') : pattern;
      const count = await printNotes(file, { ...filterOf(flags), text }, flags, surroundings);
      setExitCode(count > 0 ? EXIT_OK : EXIT_CHECK_FAILED);
    });
}

/** `coxswain trace show`. */
export function showSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('show')
    .description('Show one line of a recording in full, with the question or answer that belongs to it.')
    .argument('<file>', 'a recording')
    .argument('<line>', 'its number, as `list` prints it', parseCount)
    .option('--json', 'print JSON')
    .action(async (file: string, line: number, { json }: { json?: boolean }) => {
      const notes = await findWithPartners(resolve(surroundings.cwd, file), line);
      surroundings.writeOut(
        json === true ? jsonLine({ frames: notes.map(noteJson) }) : shown(notes, surroundings),
      );
      setExitCode(EXIT_OK);
    });
}

async function printNotes(
  file: string,
  filter: TraceFilter,
  { json }: { readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const look = lookOf(surroundings);
  let count = 0;
  for await (const note of filterTrace(resolve(surroundings.cwd, file), filter)) {
    count += 1;
    surroundings.writeOut(json === true ? jsonLine(noteJson(note)) : `${noteText(note, look)}\n`);
    await surroundings.drained();
  }
  return count;
}

async function findWithPartners(file: string, line: number): Promise<readonly FrameNote[]> {
  const found = await first(filterTrace(file), (note) => note.at === line);
  if (found === undefined) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `Line ${line} of ${file} is no line of the wire; \`list\` prints the numbers.`,
    );
  }
  const requestId = found.frame === undefined ? undefined : requestIdOf(found.frame);
  if (requestId === undefined) return [found];
  const partners: FrameNote[] = [];
  for await (const note of filterTrace(file, { requestId })) partners.push(note);
  return partners;
}

async function first<Item>(
  items: AsyncIterable<Item>,
  fits: (item: Item) => boolean,
): Promise<Item | undefined> {
  for await (const item of items) if (fits(item)) return item;
  return undefined;
}

function shown(notes: readonly FrameNote[], surroundings: Surroundings): string {
  const look = lookOf(surroundings);
  return notes
    .map(
      (note) =>
        `${noteText(note, look)}\n${plain(note.frame === undefined ? note.line : JSON.stringify(note.frame, undefined, 2))}\n`,
    )
    .join('\n');
}

function parsePattern(value: string): RegExp {
  try {
    return new RegExp(value);
  } catch {
    throw new InvalidArgumentError('It is not a regular expression.');
  }
}
