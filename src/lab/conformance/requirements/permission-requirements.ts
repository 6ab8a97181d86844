import type { Requirements } from '../requirement.js';

/** Tool calls that the host decides about. */
export const permissionRequirements = {
  'permission:prompt': {
    behaviour: 'A tool call that needs permission is sent to the host with its name, input and id.',
  },
  'permission:display-name': {
    behaviour: 'A prompt has a readable name of the tool.',
  },
  'permission:changed-input': {
    behaviour: 'An allowed call runs with the `updatedInput` of the answer.',
  },
  'permission:without-input': {
    behaviour: 'An allowed call without `updatedInput` runs with the original input.',
  },
  'permission:empty-input': {
    behaviour: 'An allowed call with an empty `updatedInput` runs with the original input.',
  },
  'permission:wrong-tool-use-id': {
    behaviour: 'A wrong `toolUseID` in the answer does not matter.',
  },
  'permission:deny': {
    behaviour: 'A denied call does not run, and its result is an error with the message of the answer.',
  },
  'permission:denials-listed': {
    behaviour: 'The result of the turn lists denied calls.',
  },
  'permission:deny-without-message': {
    behaviour: 'A denial without a message still prevents the call.',
  },
  'permission:unknown-behaviour': {
    behaviour: 'An answer that neither allows nor denies prevents the call.',
  },
  'permission:null-answer': {
    behaviour: 'A null answer prevents the call.',
  },
  'permission:error-answer': {
    behaviour: 'An error answer prevents the call, and the turn continues with its text.',
  },
  'permission:deny-interrupt': {
    behaviour: 'A denial that interrupts ends the turn as an interrupt does.',
  },
  'permission:deny-interrupt-message': {
    behaviour: 'A denial that interrupts keeps its message.',
  },
  'permission:second-answer': {
    behaviour: 'A second answer to the same prompt is ignored.',
  },
  'permission:add-rule': {
    behaviour: 'A rule that allows a tool for the session silences its prompts.',
  },
  'permission:deny-rule': {
    behaviour: 'A rule that denies a tool for the session refuses its calls without a prompt.',
  },
  'permission:set-mode': {
    behaviour: 'An answer can change the permission mode, and `system/init` shows it.',
  },
  'permission:bad-update': {
    behaviour: 'A bad entry in `updatedPermissions` is ignored, and the call runs.',
  },
  'permission:local-settings': {
    behaviour: 'A rule for `localSettings` is written to the settings file of the folder.',
  },
  'permission:nobody-to-ask': {
    behaviour:
      'Without `--permission-prompt-tool stdio` a call that needs permission is denied without a prompt.',
  },
  'permission:at-once': {
    behaviour: 'Calls of read-only tools in one message prompt at the same time.',
  },
  'auto:denial-reported': {
    behaviour: 'A call that its own check denies in auto mode is reported at once.',
  },
  'auto:hook-asked': {
    behaviour: 'It calls the PermissionDenied hooks of such a call.',
  },
  'auto:hook-waited-for': {
    behaviour: 'The turn waits for the answer of those hooks.',
  },
  'auto:hook-allows': {
    behaviour: 'In auto mode, a PreToolUse hook that allows a call lets it run without the check.',
  },
} as const satisfies Requirements;
