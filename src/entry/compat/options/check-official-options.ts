import { choosesMode } from '../../../host/cli/options/starting-mode.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { recordProblem } from '../../../wire/util/record-problem.js';
import type { Options, OwnParams } from '../types/option-types.js';
import { settingsText } from './official-settings.js';
import { warnOfDelivery, warnOfUnknown } from './warn-of-options.js';

/** Refuses what the original refuses, with the reason, before anything is started. Everything else is let through. */
export function checkOptions(options: Options, record?: OwnParams['record']): void {
  const wrong = recordProblem(record);
  if (wrong !== undefined) throw new Error(`The parameter record: ${wrong}`);
  const { canUseTool, permissionPromptToolName, model, fallbackModel } = options;
  if (canUseTool !== undefined && permissionPromptToolName)
    throw new Error('The options canUseTool and permissionPromptToolName cannot be combined.');
  if (model && model === fallbackModel) throw new Error('The options fallbackModel and model are the same.');
  if (options.supportedDialogKinds !== undefined && options.supportedDialogKinds.length > 0)
    needsDialogs(options);
  checkSkills(options.skills);
  if (options.sessionStore !== undefined) checkStore(options, options.sessionStore);
  settingsText(options);
  warnOfShadows(options);
  warnOfUnknown(options);
  warnOfDelivery(options);
}

function needsDialogs({ onUserDialog }: Options): void {
  if (onUserDialog === undefined)
    throw new Error('The option supportedDialogKinds needs onUserDialog: nobody could answer those dialogs.');
}

function checkSkills(skills: Options['skills']): void {
  if (!Array.isArray(skills)) return;
  const wrong = skills.findIndex((name: unknown) => typeof name !== 'string' || !isSkillName(name));
  if (wrong !== -1)
    throw new Error(
      `The option skills has ${JSON.stringify(skills[wrong])}: a name has no parentheses, commas or control characters, and no space around it.`,
    );
}

function isSkillName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused.
  return name !== '' && name.trim() === name && !/[(),\u0000-\u001f\u007f]/.test(name);
}

function checkStore(options: Options, { listSessions }: NonNullable<Options['sessionStore']>): void {
  if (options.enableFileCheckpointing === true)
    throw new Error(
      'The options sessionStore and enableFileCheckpointing cannot be combined: a store keeps no files.',
    );
  if (options.persistSession === false)
    throw new Error(
      'The option sessionStore needs a transcript to copy, so persistSession must not be false.',
    );
  if (options.continue === true && options.resume === undefined && listSessions === undefined)
    throw new Error('The option continue needs a sessionStore that has listSessions().');
}

/** A tool that is allowed as a whole never reaches `canUseTool`, which has surprised many users. */
function warnOfShadows({ canUseTool, allowedTools = [], permissionMode }: Options): void {
  if (canUseTool === undefined) return;
  const bare = allowedTools.filter((rule) => !rule.includes('('));
  const reasons = [
    ...(bare.length === 0 ? [] : [`${bare.join(', ')} are allowed by allowedTools`]),
    ...(permissionMode === 'bypassPermissions' ? ['permissionMode is bypassPermissions'] : []),
  ];
  if (reasons.length > 0) warnOfShadow(reasons.join('; '));
}

/** A CLI of unknown version may start in a mode that nobody chose, in which it decides on its own. */
export function warnOfOwnMode(options: Options, { current_permission_mode: mode }: WireObject): void {
  if (options.canUseTool !== undefined && mode === 'auto' && !choosesMode(options))
    warnOfShadow('the CLI has started in the mode auto; set the option permissionMode to change it');
}

function warnOfShadow(reason: string): void {
  const code = 'CLAUDE_SDK_CAN_USE_TOOL_SHADOWED';
  process.emitWarning(`canUseTool will not be called: ${reason}.`, { code });
}
