import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { CoxswainError } from '../../wire/util/errors.js';
import { counted } from '../../wire/util/numbers.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { type Change, checkProject, type Finding, type ProjectReport } from './check-project.js';

interface CheckFlags {
  readonly json?: boolean;
}

/** `coxswain compat`: for programs written for the official SDK. */
export function compatCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const check = new Command('check')
    .description(
      'Show which parts of the official SDK a project uses, whether coxswain/compat covers them, and what to change.',
    )
    .argument('<folder>', 'the folder with the sources')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (folder: string, { json = false }: CheckFlags) => {
      const report = await checkProject(await existing(resolve(context.cwd, folder)));
      context.writeOut(json ? `${JSON.stringify({ schema: 1, ...report }, null, 2)}\n` : reportText(report));
      setExitCode(report.findings.some(isTrouble) ? EXIT_CHECK_FAILED : EXIT_OK);
    });
  return new Command('compat').addCommand(check);
}

const HELP = `
It reads TypeScript and JavaScript: imports of the SDK, and options written after "options:" or typed as Options.
Nothing is run or written. Exit codes: 0, or 10 when something is not covered.`;

async function existing(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  throw new CoxswainError('OPTION_INVALID', `${folder} is not a folder.`);
}

function isTrouble({ verdict }: Finding): boolean {
  return verdict !== 'covered';
}

function reportText({ files, imports, findings, changes }: ProjectReport): string {
  if (imports === 0) return `${counted(files, 'file')}; none imports the official SDK.\n`;
  const trouble = findings.filter(isTrouble);
  const covered = [...new Set(findings.filter((each) => !isTrouble(each)).map(({ name }) => name))];
  return [
    `${counted(files, 'file')}, ${counted(imports, 'import')} of the official SDK.`,
    `Covered: ${covered.toSorted().join(', ') || 'nothing'}.`,
    trouble.length === 0 ? 'Not covered: nothing.' : 'Not covered:',
    ...new Set(trouble.map(line)),
    changes.length === 0 ? 'To change: nothing.' : 'To change:',
    ...changes.flatMap(diff),
    '',
  ].join('\n');
}

function line({ file, line: at, kind, name, entry, verdict, note = '' }: Finding): string {
  const what = entry === '' ? `${kind} ${name}` : `entry point ${entry}`;
  return `  ${file}:${at}: ${what}${verdict === 'unknown' ? ' (unknown)' : ''}: ${note}`;
}

function diff({ file, line: at, text, instead }: Change): readonly string[] {
  return [`  ${file}:${at}`, `  -${text}`, `  +${instead}`];
}
