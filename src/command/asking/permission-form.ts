import { offeredChoices, type PermissionChoice } from '../../host/session/prompts/permission-choice.js';
import type { PermissionPrompt } from '../../host/session/prompts/permission-prompt.js';
import { plainLine } from '../../wire/util/plain.js';
import { visible } from '../../wire/util/unusual.js';
import type { Look } from '../terminal/look.js';

/** A possible answer to a permission request, with its letter or number. */
export interface OfferedChoice {
  readonly choice: 'allow' | 'deny';
  readonly letter: string;
  readonly label: string;
  /** What it remembers. */
  readonly remember?: PermissionChoice;
}

/** The choices for a request: allow once, allow and remember something, or deny. */
export function choicesFor({ choices }: PermissionPrompt): readonly OfferedChoice[] {
  return [
    { choice: 'allow', letter: 'a', label: 'allow once' },
    ...offeredChoices(choices).map((remember, index) => ({
      choice: 'allow' as const,
      letter: `a${index + 1}`,
      label: `allow, and remember: ${words(remember)}`,
      remember,
    })),
    { choice: 'deny', letter: 'd', label: 'deny, with an optional reason: d not here' },
  ];
}

function words({ sentence, warning }: PermissionChoice): string {
  return plainLine(visible(warning === undefined ? sentence : `${sentence} ${warning}`), 400);
}

/** A request with its choices, as shown in the terminal. */
export function permissionText(
  prompt: PermissionPrompt,
  choices: readonly OfferedChoice[],
  look: Look,
): string {
  const { tool, origin, decisionReason, blockedPath, wasDenied } = prompt;
  const what = wasDenied ? 'Denied by auto mode:' : 'Permission:';
  const who = origin.agentId === undefined ? '' : ' (asked by a subagent)';
  const why = decisionReason === undefined ? [] : [`why: ${plainLine(visible(decisionReason))}`];
  const path = blockedPath === undefined ? [] : [`path: ${plainLine(visible(blockedPath))}`];
  return [
    `${look.yellow(what)} ${look.bold(plainLine(tool, 80))}${who}`,
    ...inputLines(prompt).map((line) => `    ${line}`),
    ...[...why, ...path].map((line) => `    ${look.dim(line)}`),
    ...choices.map(({ letter, label }, index) => `  ${index + 1}) [${letter}] ${label}`),
  ].join('\n');
}

/** What a person typed: a number or letter, followed by a reason for a denial. */
export function readChoice(
  line: string,
  choices: readonly OfferedChoice[],
): { readonly choice: OfferedChoice; readonly reason: string } | undefined {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*(.*?)\s*$/.exec(line) ?? [];
  const asked = word.toLowerCase();
  const found = choices.find(({ choice, letter, remember }, index) =>
    [letter, remember === undefined ? choice : letter, String(index + 1)].includes(asked),
  );
  // Words after a yes may well mean no, so only a denial accepts them.
  if (found === undefined || (rest !== '' && found.choice !== 'deny')) return undefined;
  return { choice: found, reason: rest };
}

/** Shows all of it, because you cannot judge what you cannot see; escapes anything deceptive. */
function inputLines({ input, description: about }: PermissionPrompt): readonly string[] {
  const { command, description = about, ...rest } = input;
  const main = typeof command === 'string' ? visible(command).split('\n') : [];
  const others = Object.entries(typeof command === 'string' ? rest : { command, ...rest })
    .filter(([, value]) => value !== undefined)
    .flatMap(([key, value]) => keyLines(key, value));
  // Newer CLIs generate a description for a command that has none.
  const more = typeof description === 'string' && description !== command ? [plainLine(description)] : [];
  return [...main, ...others, ...more];
}

function keyLines(key: string, value: unknown): readonly string[] {
  const [first = '', ...more] = visible(typeof value === 'string' ? value : JSON.stringify(value)).split(
    '\n',
  );
  return [`${plainLine(visible(key))}: ${first}`, ...more.map((line) => `  ${line}`)];
}
