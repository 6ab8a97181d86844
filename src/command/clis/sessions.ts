import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { checkTranscripts } from '../../host/transcripts/check/check-transcripts.js';
import type { TranscriptFinding, TranscriptReport } from '../../host/transcripts/check/finding.js';
import { listSessions } from '../../host/transcripts/list-sessions.js';
import { sessionInfo } from '../../host/transcripts/session-info.js';
import { sessionMessages } from '../../host/transcripts/session-messages.js';
import type { SessionInfo, SessionMessage } from '../../host/transcripts/transcript-types.js';
import { isObject } from '../../wire/protocol/frames.js';
import { homeOf } from '../../wire/transport/process/system.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { counted } from '../../wire/util/numbers.js';
import { plain, plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { EXIT_CHECK_FAILED, EXIT_OK } from '../exit-codes.js';
import { parseCount } from '../parse.js';
import { jsonLine, lookOf } from '../recordings/trace-print.js';
import type { Look } from '../terminal/look.js';

type MakeSubcommand = (context: CommandContext, setExitCode: (code: number) => void) => Command;

/** `coxswain sessions`: reads conversations on disk, without starting a CLI. */
export function sessionsCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const sessions = new Command('sessions');
  const subcommands: readonly MakeSubcommand[] = [listSubcommand, showSubcommand, checkSubcommand];
  for (const make of subcommands) {
    sessions.addCommand(make(context, setExitCode));
  }
  return sessions.addHelpText('after', HELP);
}

const HELP = `
These commands change nothing and start no CLI. CLAUDE_CONFIG_DIR sets the CLI's folder, as it does for the CLI itself.
Exit codes: 0 no findings, 10 a check found something, 4 no such session.`;

interface ListFlags {
  readonly dir?: string;
  readonly all?: boolean;
  readonly limit: number;
  readonly json?: boolean;
}

function listSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('list')
    .description('List sessions, most recently changed first.')
    .option('--dir <folder>', 'sessions in this folder and its git worktrees (default: the current folder)')
    .option('--all', 'sessions in all folders')
    .option('--limit <count>', 'the maximum number', parseCount, 20)
    .option('--json', 'print one JSON object per line')
    .action(async ({ dir = '.', all, limit, json }: ListFlags) => {
      const where = all === true ? {} : { dir: resolve(context.cwd, dir) };
      const infos = await listSessions({ ...where, limit, configDir: configDirOf(context) });
      const look = lookOf(context);
      for (const info of infos) {
        context.writeOut(json === true ? jsonLine(info) : infoText(info, look));
        await context.drained();
      }
      if (infos.length === 0) context.writeErr(NOTHING);
      setExitCode(EXIT_OK);
    });
}

const NOTHING = 'No sessions here; --all searches all folders.\n';

interface ShowFlags {
  readonly limit?: number;
  readonly offset?: number;
  readonly system?: boolean;
  readonly json?: boolean;
}

function showSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('show')
    .description('Show the messages of a session.')
    .argument('<id>', 'the id, as `list` prints it')
    .option('--limit <count>', 'the maximum number', parseCount)
    .option('--offset <count>', 'how many to skip at the start', parseCount)
    .option('--system', 'include system messages')
    .option('--json', 'print one JSON object per line')
    .action(async (id: string, { limit, offset, system, json }: ShowFlags) => {
      const configDir = configDirOf(context);
      const info = await sessionInfo(id, { configDir });
      const messages = await sessionMessages(id, { configDir, limit, offset, includeSystemMessages: system });
      if (info === undefined && messages.length === 0) {
        throw new CoxswainError('SESSION_MISSING', `There is no session ${JSON.stringify(id)} on disk.`);
      }
      const look = lookOf(context);
      if (json !== true && info !== undefined) context.writeOut(`${infoText(info, look)}\n`);
      for (const message of messages) {
        context.writeOut(json === true ? jsonLine(message) : messageText(message, look));
        await context.drained();
      }
      setExitCode(EXIT_OK);
    });
}

function checkSubcommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('check')
    .description('Find broken transcripts, and explain how to fix them.')
    .argument('[path]', 'a transcript or a folder of transcripts (default: all transcripts of your CLI)')
    .option('-v, --verbose', 'include notes')
    .option('--json', 'print one JSON object per file, including files without findings')
    .action(async (path: string | undefined, { verbose, json }: { verbose?: boolean; json?: boolean }) => {
      const counts = { files: 0, broken: 0 };
      const where = path ?? join(configDirOf(context), 'projects');
      const look = lookOf(context);
      for await (const report of checkTranscripts(resolve(context.cwd, where))) {
        counts.files += 1;
        if (isBroken(report)) counts.broken += 1;
        context.writeOut(json === true ? jsonLine(report) : reportText(report, look, verbose === true));
        await context.drained();
      }
      context.writeErr(`${counted(counts.files, 'transcript')} checked, ${counts.broken} with problems.\n`);
      setExitCode(counts.broken === 0 ? EXIT_OK : EXIT_CHECK_FAILED);
    });
}

function isBroken({ findings }: TranscriptReport): boolean {
  return findings.some(({ needsAction }) => needsAction);
}

function configDirOf({ env }: CommandContext): string {
  return env.CLAUDE_CONFIG_DIR || join(homeOf(env), '.claude');
}

/** A session on one line: last change, id and title. */
function infoText(info: SessionInfo, look: Look): string {
  const time = new Date(info.lastModified).toISOString().slice(0, 16).replace('T', ' ');
  const marks = [
    ...(info.tag === undefined ? [] : [`#${plainLine(info.tag, 30)}`]),
    ...(info.archived === true ? ['archived'] : []),
  ];
  const title = [look.bold(plainLine(info.summary, 100)), ...marks.map(look.cyan)].join(' ');
  return `${look.dim(time)}  ${info.sessionId}  ${title}\n`;
}

/** A message: its sender, texts, calls and results. */
function messageText({ type, message, timestamp }: SessionMessage, look: Look): string {
  const who = type === 'user' ? look.cyan(type) : look.green(type);
  const content = isObject(message) ? message.content : undefined;
  const blocks: readonly unknown[] = Array.isArray(content)
    ? content
    : [{ type: 'text', text: content ?? '' }];
  return `${who} ${look.dim(timestamp ?? '')}\n${blocks.map((block) => `${blockText(block, look)}\n`).join('')}\n`;
}

function blockText(block: unknown, look: Look): string {
  if (!isObject(block)) return '';
  if (block.type === 'text') return plain(String(block.text));
  const { type, name, input, content } = block;
  const what =
    type === 'tool_use' ? `${String(name)} ${JSON.stringify(input)}` : JSON.stringify(content ?? '');
  return look.dim(plainLine(`${String(type)}: ${what}`, 160));
}

/** The findings in a file; empty if there are none. */
function reportText({ file, findings, more }: TranscriptReport, look: Look, verbose: boolean): string {
  const told = findings.filter(({ severity }) => verbose || severity !== 'note');
  if (told.length === 0) return '';
  const rest = more === 0 ? [] : [`  and ${more} more like these`];
  return `${[look.bold(plain(file)), ...told.flatMap((each) => findingLines(each, look)), ...rest].join('\n')}\n\n`;
}

function findingLines(
  { severity, line, code, what, means, remedy }: TranscriptFinding,
  look: Look,
): string[] {
  const paint = { error: look.red, warning: look.yellow, note: look.dim }[severity];
  const place = line === undefined ? '' : `line ${line}: `;
  return [
    `${paint(`  ${severity === 'note' ? look.dot : look.bad} ${code}`)} ${place}${plain(what)}`,
    `    what it means: ${means}`,
    `    what to do: ${remedy}`,
  ];
}
