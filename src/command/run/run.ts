import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import {
  type Effort,
  efforts,
  type PermissionMode,
  permissionModes,
  type SettingSource,
} from '../../host/cli/options/cli-options.js';
import { findCli } from '../../host/cli/program/find-cli.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import { isObject, type WireObject } from '../../wire/protocol/frames.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { type Answerer, RefusingAnswerer } from '../asking/answerers.js';
import { TerminalAnswerer } from '../asking/terminal-answerer.js';
import type { CommandContext } from '../command-context.js';
import { foundHow } from '../doctor/found-how.js';
import { collect, parseCount, parseDuration, parseMoney, parseSources } from '../parse.js';
import { lookFor } from '../terminal/look.js';
import type { Screen } from '../terminal/screen.js';
import { notOpenedLine } from './output.js';
import { converse, wasReported } from './run-conversation.js';

interface RunFlags {
  readonly model?: string;
  readonly permissionMode?: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly effort?: Effort;
  readonly continue?: boolean;
  readonly mcpConfig?: readonly string[];
  readonly jsonSchema?: string;
  readonly cwd?: string;
  readonly cli?: string;
  readonly resume?: string;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly settingSources?: readonly SettingSource[];
  readonly timeout?: number;
  readonly partial?: boolean;
  readonly json?: boolean;
  readonly input: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** `coxswain run`: one message, its answer on stdout, questions in the terminal. */
export function runCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('run')
    .argument('[message...]', 'the message; `-`, or nothing if stdin is not a terminal, reads it from stdin')
    .option('--model <name>', 'the model to use')
    .addOption(
      new Option('--permission-mode <mode>', 'which tools run without asking').choices([...permissionModes]),
    )
    .option('--allow <rule>', "allow without asking, such as 'Bash(git:*)'; repeatable", collect)
    .option('--deny <rule>', 'always deny; repeatable', collect)
    .option('--cwd <folder>', "the CLI's working folder")
    .option('--cli <path>', 'the CLI to use (npx coxswain doctor shows which one is found)')
    .option('--resume <id>', 'continue this session')
    .option('--continue', 'continue the newest session in the working folder')
    .addOption(
      new Option('--effort <level>', 'how much effort the model puts into the answer').choices([...efforts]),
    )
    .option('--mcp-config <file>', 'MCP servers, as an .mcp.json file or as JSON; repeatable', collect)
    .option('--json-schema <file>', 'a JSON Schema for the answer: a file, or the schema itself')
    .option('--max-turns <number>', 'stop after this many model calls', parseCount)
    .option('--max-budget-usd <dollars>', 'stop at this cost', parseMoney)
    .option('--system-prompt <text>', "replace the CLI's own system prompt")
    .option('--append-system-prompt <text>', 'append to the system prompt')
    .option(
      '--setting-sources <list>',
      'which of user, project and local to load; empty for none',
      parseSources,
    )
    .option('--timeout <time>', 'give up after this long: 90, 90s, 5m, 1h', parseDuration)
    .option('--json', 'print every message as a line of JSON, then a line with the outcome')
    .option('--partial', 'with --json: include partial messages')
    .option('--no-input', 'never ask; deny everything that needs permission')
    .option('-q, --quiet', 'print only the answer and errors')
    .option('-v, --verbose', "print more: startup, tools, the CLI's stderr")
    .addHelpText('after', HELP)
    .action(async (words: readonly string[], flags: RunFlags) => {
      setExitCode(
        await run(words, flags, context).catch((error: unknown) => notOpened(error, flags, context)),
      );
    });
}

const HELP = `
The answer goes to stdout, everything else to stderr. You answer permissions and questions in the terminal; without a
terminal they are denied, with the reason on stderr.

Ctrl-C interrupts the turn, a second one closes the session, a third kills the CLI. SIGTERM interrupts and closes.

Exit codes: 0 success, 1 failed, 2 wrong arguments, 3 timed out, 4 no such session, 5 denied or nobody to ask, 6 turn limit
or budget, 7 no usable CLI, 8 the CLI broke the protocol, 9 credentials or rate limit, 130 Ctrl-C, 143 SIGTERM.`;

/** With --json there is always a last line; errors before the session opens are reported there too. */
function notOpened(error: unknown, { json }: RunFlags, { writeOut }: CommandContext): never {
  if (json === true && !wasReported(error)) writeOut(notOpenedLine(error));
  throw error;
}

async function run(words: readonly string[], flags: RunFlags, context: CommandContext): Promise<number> {
  const text = await messageText(words, context);
  const cwd = resolve(context.cwd, flags.cwd ?? '.');
  const search = findCli({ cli: flags.cli, cwd });
  if (search.error !== undefined) throw search.error;
  warnOfBypass(flags, context);
  return converse(
    {
      messages: [text],
      options: { ...sessionOptions(flags, cwd), ...readFlagFiles(flags, context.cwd) },
      found: `${search.found.path} (${foundHow(search.found.how)})`,
      answerer: (screen) => answererFor(flags, context, screen),
      json: flags.json,
      quiet: flags.quiet,
      verbose: flags.verbose,
      timeoutMs: flags.timeout,
    },
    context,
  );
}

async function messageText(words: readonly string[], context: CommandContext): Promise<string> {
  const fromInput = words.length === 0 ? !context.inIsTty : words.length === 1 && words[0] === '-';
  const text = fromInput ? await context.readInput() : words.join(' ');
  if (text.trim() !== '') return text;
  const where = fromInput ? 'The message on stdin is empty' : 'No message was passed';
  throw new CoxswainError('OPTION_INVALID', `${where}. Try: npx coxswain run "What is in this folder?"`);
}

function sessionOptions(flags: RunFlags, cwd: string): SessionOptions {
  const { cli, model, permissionMode, allow, deny, resume, maxTurns, maxBudgetUsd, effort } = flags;
  const { systemPrompt, appendSystemPrompt, settingSources, json = false, partial = false } = flags;
  return {
    cwd,
    cli,
    model,
    permissionMode,
    allowedTools: allow,
    disallowedTools: deny,
    effort,
    resume,
    continue: flags.continue,
    maxTurns,
    maxBudgetUsd,
    systemPrompt,
    appendSystemPrompt,
    settingSources,
    partialMessages: !json || partial,
  };
}

function answererFor(flags: RunFlags, { keyboard }: CommandContext, screen: Screen): Answerer {
  if (!flags.input) return new RefusingAnswerer(screen, '--no-input is set');
  return keyboard === undefined
    ? new RefusingAnswerer(screen, 'there is no terminal')
    : new TerminalAnswerer(screen, keyboard);
}

function warnOfBypass({ permissionMode }: RunFlags, context: CommandContext): void {
  if (permissionMode !== 'bypassPermissions') return;
  const { env, platform, errIsTty, writeErr } = context;
  const { red } = lookFor({ isTty: errIsTty, env, platform });
  writeErr(`${red('All permissions are bypassed: every tool runs without asking.')}\n`);
}

/** Flags that take a JSON file, or JSON itself. */
interface FileFlags {
  readonly mcpConfig?: readonly string[];
  readonly jsonSchema?: string;
}

/** Reads the files that flags name. @throws CoxswainError `OPTION_INVALID` naming the flag. */
function readFlagFiles(
  { mcpConfig = [], jsonSchema }: FileFlags,
  cwd: string,
): Pick<SessionOptions, 'mcpServers' | 'outputSchema'> {
  const servers = mcpConfig.map((value) => serversIn(value, cwd));
  return {
    ...(servers.length === 0 ? {} : { mcpServers: Object.assign({}, ...servers) }),
    ...(jsonSchema === undefined ? {} : { outputSchema: objectIn('--json-schema', jsonSchema, cwd) }),
  };
}

function serversIn(value: string, cwd: string): WireObject {
  const { mcpServers } = objectIn('--mcp-config', value, cwd);
  if (isObject(mcpServers)) return mcpServers;
  throw invalid('--mcp-config', 'it has no "mcpServers"', undefined);
}

function objectIn(flag: string, value: string, cwd: string): WireObject {
  try {
    const text = value.trimStart().startsWith('{') ? value : readFileSync(resolve(cwd, value), 'utf8');
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    throw invalid(flag, errorText(error), error);
  }
  throw invalid(flag, 'it is not a JSON object', undefined);
}

function invalid(flag: string, problem: string, cause: unknown): CoxswainError {
  return new CoxswainError('OPTION_INVALID', `The value of ${flag} cannot be used: ${problem}.`, { cause });
}
