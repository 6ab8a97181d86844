import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { traceCut } from '../../wire/trace/analysis/filter.js';
import { tracePage } from '../../wire/trace/page/export-page.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_OK } from '../exit-codes.js';
import { parseBytes } from '../parse.js';
import { type FilterFlags, filterOf, withFilters } from './trace-filter.js';
import { jsonLine } from './trace-print.js';
import { sendSpans, spansText } from './trace-spans.js';

interface ExportFlags extends FilterFlags {
  readonly html?: boolean;
  readonly trace?: boolean;
  readonly otel?: boolean;
  readonly content?: boolean;
  readonly endpoint?: string;
  readonly output?: string;
  readonly maxBytes?: number;
}

/** `coxswain trace export`. */
export function exportSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('export')
    .description('Export a recording as a page, as a smaller recording, or as OpenTelemetry spans.')
    .argument('<file>', 'a recording')
    .option('--html', 'one HTML file that works offline and sends nothing')
    .option('--trace', 'a recording of the selected lines')
    .option('--otel', 'spans in the OpenTelemetry Protocol (JSON)')
    .option('--content', 'with --otel: include prompts, answers, arguments and results')
    .option('--endpoint <url>', 'with --otel: send them to this collector, such as http://127.0.0.1:4318')
    .option(
      '-o, --output <file>',
      "the output file; - is stdout (default: the recording's name with .html or .otlp.json)",
    )
    .option('--max-bytes <number>', 'the maximum size of a page (default: 32m)', parseBytes)
    .option('--json', 'print what was written as JSON');
  return withFilters(command).action(async (file: string, flags: ExportFlags) => {
    await exportTrace(file, flags, context);
    setExitCode(EXIT_OK);
  });
}

async function exportTrace(file: string, flags: ExportFlags, context: CommandContext): Promise<void> {
  const { cwd, writeOut } = context;
  const source = resolve(cwd, file);
  if (flags.endpoint !== undefined) {
    checkKind(flags);
    if (flags.otel !== true) throw invalid('--endpoint needs --otel.');
    const sent = await sendSpans(source, flags.endpoint, flags, context.env);
    writeOut(flags.json === true ? jsonLine(sent) : `${sent.spans} spans sent to ${sent.endpoint}\n`);
    return;
  }
  const text = textFor(source, flags);
  const ending = flags.otel === true ? 'otlp.json' : 'html';
  const output = flags.output ?? `${basename(file, extname(file))}.${ending}`;
  if (output === '-') {
    await print(text, context);
    return;
  }
  const path = resolve(cwd, output);
  if (path === source)
    throw invalid('The output would overwrite the recording: choose another name with -o.');
  const bytes = await write(text, path);
  writeOut(flags.json === true ? jsonLine({ output: path, bytes }) : `${path}\n`);
}

function checkKind(flags: ExportFlags): void {
  const { html, trace, otel } = flags;
  if ([html, trace, otel].filter((each) => each === true).length !== 1)
    throw invalid('Use one of --html, --trace and --otel.');
  if (otel === true && Object.values(filterOf(flags)).some((each) => each !== undefined))
    throw invalid('--otel exports a whole recording: select lines with --trace first.');
  if (otel !== true && flags.content === true) throw invalid('--content needs --otel.');
}

function textFor(source: string, flags: ExportFlags): AsyncIterable<string> {
  const { html, otel, output, maxBytes } = flags;
  checkKind(flags);
  if (otel === true) return spansText(source, flags);
  if (html === true) return tracePage(source, { filter: filterOf(flags), maxBytes });
  if (output === undefined) throw invalid('Set the output file with -o.');
  return traceCut(source, filterOf(flags));
}

async function print(text: AsyncIterable<string>, { writeOut, drained }: CommandContext): Promise<void> {
  for await (const piece of text) {
    writeOut(piece);
    await drained();
  }
}

/**
 * Written under another name until complete: half a page is worse than none. Devices and pipes are written
 * directly.
 */
async function write(text: AsyncIterable<string>, path: string): Promise<number> {
  const isDevice = await stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
  const draft = isDevice ? path : `${path}.${process.pid}.part`;
  const stream = createWriteStream(draft, { mode: 0o600 });
  try {
    await pipeline(Readable.from(text), stream);
    if (!isDevice) await rename(draft, path);
    return stream.bytesWritten;
  } catch (error) {
    if (!isDevice) await rm(draft, { force: true });
    throw error;
  }
}

function invalid(message: string): CoxswainError {
  return new CoxswainError('OPTION_INVALID', message);
}
