import type { Requirements } from '../requirement.js';

/** Tool calls that the host decides about. */
export const permissionRequirements = {
  'permission:prompt': {
    behaviour: 'A tool call that needs permission is sent to the host with its name, input and id.',
  },
  'permission:display-name': {
    behaviour: 'A prompt has a name of the tool that is made for people.',
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
    behaviour: 'A denial without a message still keeps the call from running.',
  },
  'permission:unknown-behaviour': {
    behaviour: 'An answer that neither allows nor denies keeps the call from running.',
  },
  'permission:null-answer': {
    behaviour: 'An answer of null keeps the call from running.',
  },
  'permission:error-answer': {
    behaviour: 'An error answer keeps the call from running, and the turn goes on with its text.',
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
    behaviour: 'A bad entry in `updatedPermissions` is passed over and the call runs.',
  },
  'permission:local-settings': {
    behaviour: 'A rule for `localSettings` is written to the settings file of the folder.',
  },
  'permission:nobody-to-ask': {
    behaviour: 'Without `--permission-prompt-tool stdio` a call that needs permission is denied unasked.',
  },
  'permission:at-once': {
    behaviour: 'Calls of read-only tools in one message are asked about at once.',
  },
} as const satisfies Requirements;
