import { resolve } from 'node:path';
import { Command } from 'commander';
import { diffTraces } from '../../trace/look/diff-traces.js';
import { validateTrace } from '../../trace/look/validate-trace.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import type { Surroundings } from '../surroundings.js';
import { changeText, findingText, jsonLine, lookOf } from './trace-print.js';

/** `coxswain trace diff`. */
export function diffSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('diff')
    .description(
      'Compare two recordings; ids, times, folders, durations, costs and token counts do not count.',
    )
    .argument('<first>', 'a recording')
    .argument('<second>', 'another one')
    .option('--json', 'print JSON')
    .action(async (first: string, second: string, { json }: { json?: boolean }) => {
      const { cwd, writeOut } = surroundings;
      const look = lookOf(surroundings);
      const changes = await diffTraces(resolve(cwd, first), resolve(cwd, second));
      if (json === true) writeOut(jsonLine({ changes }));
      else
        writeOut(
          changes.length === 0
            ? 'no difference\n'
            : changes.map((change) => `${changeText(change, look)}\n`).join(''),
        );
      setExitCode(changes.length === 0 ? EXIT_OK : EXIT_CHECK_FAILED);
    });
}

/** `coxswain trace validate`. */
export function validateSubcommand(surroundings: Surroundings, setExitCode: (code: number) => void): Command {
  return new Command('validate')
    .description('Check every frame against the catalog, and look for mistakes in the protocol.')
    .argument('<file>', 'a recording')
    .option('--strict', 'count warnings as errors')
    .option('--json', 'print one JSON object per line, the last one a summary')
    .action(async (file: string, flags: { readonly strict?: boolean; readonly json?: boolean }) => {
      setExitCode(await validate(file, flags, surroundings));
    });
}

async function validate(
  file: string,
  { strict, json }: { readonly strict?: boolean; readonly json?: boolean },
  surroundings: Surroundings,
): Promise<number> {
  const { cwd, writeOut, drained } = surroundings;
  const look = lookOf(surroundings);
  const counts = { error: 0, warning: 0 };
  for await (const finding of validateTrace(resolve(cwd, file))) {
    counts[finding.severity] += 1;
    writeOut(json === true ? jsonLine({ kind: 'finding', ...finding }) : `${findingText(finding, look)}\n`);
    await drained();
  }
  const { error: errors, warning: warnings } = counts;
  writeOut(
    json === true
      ? jsonLine({ kind: 'summary', errors, warnings })
      : `${errors} errors, ${warnings} warnings\n`,
  );
  return errors > 0 || (strict === true && warnings > 0) ? EXIT_CHECK_FAILED : EXIT_OK;
}
