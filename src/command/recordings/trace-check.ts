import { resolve } from 'node:path';
import { Command } from 'commander';
import { diffTraces } from '../../wire/trace/analysis/diff-traces.js';
import { validateTrace } from '../../wire/trace/analysis/validate-trace.js';
import { counted } from '../../wire/util/numbers.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { type FilterFlags, filterOf, withFilters } from './trace-filter.js';
import { changeText, findingText, jsonLine, lookOf } from './trace-print.js';

/** `coxswain trace diff`. */
export function diffSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('diff')
    .description('Compare two recordings; ignores ids, times, folders, durations, costs and token counts.')
    .argument('<first>', 'a recording')
    .argument('<second>', 'another one');
  return withFilters(command)
    .option('--json', 'print JSON')
    .action(async (first: string, second: string, flags: FilterFlags) => {
      const { cwd, writeOut } = context;
      const look = lookOf(context);
      const changes = await diffTraces(resolve(cwd, first), resolve(cwd, second), filterOf(flags));
      if (flags.json === true) writeOut(jsonLine({ changes }));
      else
        writeOut(
          changes.length === 0
            ? 'no difference\n'
            : changes.map((change) => `${changeText(change, look)}\n`).join(''),
        );
      setExitCode(changes.length === 0 ? EXIT_OK : EXIT_CHECK_FAILED);
    });
}

interface ValidateFlags extends FilterFlags {
  readonly strict?: boolean;
}

/** `coxswain trace validate`. */
export function validateSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('validate')
    .description('Check every frame against the catalog, and find protocol mistakes.')
    .argument('<file>', 'a recording');
  return withFilters(command)
    .option('--strict', 'count warnings as errors')
    .option('--json', 'print one JSON object per line, the last one a summary')
    .action(async (file: string, flags: ValidateFlags) => {
      setExitCode(await validate(file, flags, context));
    });
}

async function validate(file: string, flags: ValidateFlags, context: CommandContext): Promise<number> {
  const { cwd, writeOut, drained } = context;
  const { strict, json } = flags;
  const look = lookOf(context);
  const counts = { error: 0, warning: 0 };
  for await (const finding of validateTrace(resolve(cwd, file), filterOf(flags))) {
    counts[finding.severity] += 1;
    writeOut(json === true ? jsonLine({ kind: 'finding', ...finding }) : `${findingText(finding, look)}\n`);
    await drained();
  }
  const { error: errors, warning: warnings } = counts;
  writeOut(
    json === true
      ? jsonLine({ kind: 'summary', errors, warnings })
      : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`,
  );
  return errors > 0 || (strict === true && warnings > 0) ? EXIT_CHECK_FAILED : EXIT_OK;
}
