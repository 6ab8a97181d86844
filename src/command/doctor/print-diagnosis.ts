import type { FoundHow } from '../../host/cli/program/cli-places.js';
import type { LookedAt } from '../../host/cli/program/find-cli.js';
import { duration } from '../../wire/util/numbers.js';
import { plain, plainLine } from '../../wire/util/plain.js';
import type { Look } from '../terminal/look.js';
import type { Diagnosis, NotStartedFacts, StartedFacts, SupportFacts } from './diagnosis.js';

/** The diagnosis for people. */
export function diagnosisText(diagnosis: Diagnosis, look: Look, verbose: boolean): string {
  const { coxswain, node, platform, start, supports, notes } = diagnosis;
  const lines = [
    `coxswain ${coxswain}, Node ${node}, ${platform}`,
    '',
    ...cliLines(diagnosis, look, verbose),
    ...(start === undefined ? [] : startLines(start, look)),
    ...(supports.length === 0 ? [] : ['', 'What it supports:']),
    ...supports.flatMap((facts) => supportLines(facts, verbose)),
    ...(notes.length === 0 ? [] : ['', 'Worth knowing:', ...notes.map((note) => `  ${note}`)]),
    '',
    ...problemLines(diagnosis, look),
  ];
  return `${lines.join('\n')}\n`;
}

function cliLines({ cli, looked }: Diagnosis, look: Look, verbose: boolean): readonly string[] {
  const found =
    cli === undefined
      ? [`${look.red(look.bad)} No usable CLI was found.`]
      : [
          `${look.green(look.good)} CLI ${look.bold(cli.path)}`,
          `  ${cli.how}, version ${cli.version ?? 'unknown'}`,
        ];
  const places = verbose
    ? looked.map(placeLine)
    : [...groupLines(looked), '    (--verbose lists every place)'];
  return [...found, '  Searched:', ...places];
}

function placeLine({ how, path, why }: LookedAt): string {
  return `    ${RULES[how]}: ${path} ${why}`;
}

/** Empty locations are only counted, by search rule. */
function groupLines(looked: readonly LookedAt[]): readonly string[] {
  const rules = [...new Set(looked.map(({ how }) => how))];
  return rules.flatMap((rule) =>
    ruleLines(
      rule,
      looked.filter(({ how }) => how === rule),
    ),
  );
}

function ruleLines(rule: FoundHow, places: readonly LookedAt[]): readonly string[] {
  const telling = places.filter(({ taken, why }) => taken || why !== 'does not exist');
  const empty = places.length - telling.length;
  const many = empty === 1 ? '1 place' : `${empty} places`;
  return [...(empty === 0 ? [] : [`    ${RULES[rule]}: ${many}, nothing there`]), ...telling.map(placeLine)];
}

const RULES: Readonly<Record<FoundHow, string>> = {
  option: '--cli',
  environment: 'CLAUDE_CODE_PATH',
  package: 'node_modules',
  path: 'PATH',
  'usual-place': 'the usual install folders',
};

function startLines(start: StartedFacts | NotStartedFacts, look: Look): readonly string[] {
  return start.ok ? startedLines(start, look) : notStartedLines(start, look);
}

function startedLines({ durationMs, account, mcpServers }: StartedFacts, look: Look): readonly string[] {
  const credentials = Object.entries(account).map(([key, value]) => `${key} ${plainLine(value, 60)}`);
  return [
    `${look.green(look.good)} It starts and answers initialize in ${duration(durationMs)} (no model was called).`,
    ...(credentials.length === 0 ? [] : [`  credentials: ${credentials.join(', ')}`]),
    ...mcpServers.map(({ name, status }) => `  MCP server ${plainLine(name, 60)}: ${plainLine(status, 40)}`),
  ];
}

function notStartedLines(start: NotStartedFacts, look: Look): readonly string[] {
  const { message, code, phase, commandLine, stderrTail, noise, mcpServersPending, debugLog } = start;
  const tail = plain(stderrTail).trim();
  return [
    `${look.red(look.bad)} It cannot be used: ${plain(message)}${code === undefined ? '' : ` [${code}]`}`,
    ...(phase === undefined ? [] : [`  phase: ${phase}`]),
    ...(commandLine === undefined ? [] : [`  command line: ${plain(commandLine)}`]),
    ...(tail === '' ? [] : ['  the end of its stderr:', ...tail.split('\n').map((line) => `    ${line}`)]),
    ...(noise.length === 0
      ? []
      : ['  stdout lines that are not protocol messages:', ...noise.map((line) => `    ${plain(line)}`)]),
    ...(mcpServersPending.length === 0 ? [] : [`  MCP servers not set up: ${mcpServersPending.join(', ')}`]),
    ...(debugLog === undefined ? [] : [`  debug log, if the CLI writes one: ${debugLog}`]),
  ];
}

function supportLines({ what, known, total, missing }: SupportFacts, verbose: boolean): readonly string[] {
  const line = `  ${what}: ${known} of ${total}`;
  return verbose && missing.length > 0 ? [line, `    not: ${missing.join(', ')}`] : [line];
}

function problemLines({ problems }: Diagnosis, look: Look): readonly string[] {
  if (problems.length === 0) return [`${look.green(look.good)} No problems found.`];
  return problems.flatMap(({ what, remedy }) => [
    `${look.red(look.bad)} ${plain(what)}`,
    `  what to do: ${remedy}`,
  ]);
}
