import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { filterTrace, type TraceFilter } from '../../wire/trace/analysis/filter.js';
import type { FrameNote } from '../../wire/trace/analysis/frame-notes.js';
import { requestIdOf } from '../../wire/trace/analysis/label.js';
import { traceInfo } from '../../wire/trace/analysis/trace-info.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { plain } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { parseCount } from '../parse.js';
import type { Look } from '../terminal/look.js';
import { type FilterFlags, filterOf, withFilters } from './trace-filter.js';
import { infoText, jsonLine, lookOf, noteJson, noteText } from './trace-print.js';

/** `coxswain trace info`. */
export function infoSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return withFilters(
    new Command('info').description('Summarise a recording.').argument('<file>', 'a recording'),
  )
    .option('--json', 'print JSON')
    .action(async (file: string, flags: FilterFlags) => {
      const info = await traceInfo(resolve(context.cwd, file), filterOf(flags));
      context.writeOut(flags.json === true ? jsonLine(info) : infoText(info));
      setExitCode(EXIT_OK);
    });
}

/** `coxswain trace list`. */
export function listSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return withFilters(
    new Command('list').description('List the lines of a recording.').argument('<file>', 'a recording'),
  )
    .option('--json', 'print one JSON object per line')
    .action(async (file: string, flags: FilterFlags) => {
      await printNotes(file, filterOf(flags), flags, context);
      setExitCode(EXIT_OK);
    });
}

/** `coxswain trace grep`. */
export function grepSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('grep')
    .description('List the lines of a recording that match a pattern.')
    .argument('<pattern>', 'a regular expression, matched against the raw line', parsePattern)
    .argument('<file>', 'a recording')
    .option('-i, --ignore-case', 'ignore case');
  return withFilters(command)
    .option('--json', 'print one JSON object per line')
    .action(async (pattern: RegExp, file: string, flags: FilterFlags & { readonly ignoreCase?: boolean }) => {
      const text = flags.ignoreCase === true ? new RegExp(pattern.source, 'i') : pattern;
      const count = await printNotes(file, { ...filterOf(flags), text }, flags, context);
      setExitCode(count > 0 ? EXIT_OK : EXIT_CHECK_FAILED);
    });
}

/** `coxswain trace show`. */
export function showSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('show')
    .description('Show lines of a recording in full: one line with its request or answer, or all that match.')
    .argument('<file>', 'a recording')
    .argument('[line]', 'the number, as `list` prints it', parseCount);
  return withFilters(command)
    .option('--json', 'print JSON; one object per line if no line is given')
    .action(async (file: string, line: number | undefined, flags: FilterFlags) => {
      if (line === undefined) await printNotes(file, filterOf(flags), flags, context, shownText);
      else await showOne(file, line, flags, context);
      setExitCode(EXIT_OK);
    });
}

async function showOne(
  file: string,
  line: number,
  { json, ...filters }: FilterFlags,
  context: CommandContext,
): Promise<void> {
  if (Object.keys(filters).length > 0)
    throw new CoxswainError('OPTION_INVALID', 'Pass either a line number or a filter, not both.');
  const notes = await findWithPartners(resolve(context.cwd, file), line);
  const look = lookOf(context);
  context.writeOut(
    json === true
      ? jsonLine({ frames: notes.map(noteJson) })
      : `${notes.map((note) => shownText(note, look)).join('\n\n')}\n`,
  );
}

async function printNotes(
  file: string,
  filter: TraceFilter,
  { json }: { readonly json?: boolean },
  context: CommandContext,
  textOf: (note: FrameNote, look: Look) => string = noteText,
): Promise<number> {
  const look = lookOf(context);
  let count = 0;
  for await (const note of filterTrace(resolve(context.cwd, file), filter)) {
    count += 1;
    context.writeOut(json === true ? jsonLine(noteJson(note)) : `${textOf(note, look)}\n`);
    await context.drained();
  }
  return count;
}

async function findWithPartners(file: string, line: number): Promise<readonly FrameNote[]> {
  const found = await first(filterTrace(file), (note) => note.at === line);
  if (found === undefined) {
    throw new CoxswainError(
      'OPTION_INVALID',
      `Line ${line} of ${file} is not a line on the wire; \`list\` prints the numbers.`,
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

function shownText(note: FrameNote, look: Look): string {
  const { frame, line } = note;
  return `${noteText(note, look)}\n${plain(frame === undefined ? line : JSON.stringify(frame, undefined, 2))}`;
}

function parsePattern(value: string): RegExp {
  try {
    return new RegExp(value);
  } catch {
    throw new InvalidArgumentError('It is not a regular expression.');
  }
}
