import { LATEST_FAILS, OLD_FAIL, type Requirements } from '../requirement.js';

/** Tool calls that the host decides about. */
export const permissionRequirements = {
  'permission:prompt': {
    behaviour: 'A tool call that needs permission is sent to the host with its name, input and id.',
    source: 'protocol.md §3.1',
  },
  'permission:display-name': {
    behaviour: 'A prompt has a name of the tool that is made for people.',
    source: 'protocol.md §3.1',
    except: OLD_FAIL,
  },
  'permission:changed-input': {
    behaviour: 'An allowed call runs with the `updatedInput` of the answer.',
    source: 'protocol.md §3.1',
  },
  'permission:without-input': {
    behaviour: 'An allowed call without `updatedInput` runs with the original input.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'permission:empty-input': {
    behaviour: 'An allowed call with an empty `updatedInput` runs with the original input.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'permission:wrong-tool-use-id': {
    behaviour: 'A wrong `toolUseID` in the answer does not matter.',
    source: 'protocol.md §3.1',
  },
  'permission:deny': {
    behaviour: 'A denied call does not run, and its result is an error with the message of the answer.',
    source: 'protocol.md §3.1',
  },
  'permission:denials-listed': {
    behaviour: 'The result of the turn lists denied calls.',
    source: 'protocol.md §3.1',
  },
  'permission:deny-without-message': {
    behaviour: 'A denial without a message still keeps the call from running.',
    source: 'protocol.md §3.1',
  },
  'permission:unknown-behaviour': {
    behaviour: 'An answer that neither allows nor denies keeps the call from running.',
    source: 'protocol.md §3.1',
  },
  'permission:null-answer': {
    behaviour: 'An answer of null keeps the call from running.',
    source: 'protocol.md §3.1',
  },
  'permission:error-answer': {
    behaviour: 'An error answer keeps the call from running, and the turn goes on with its text.',
    source: 'protocol.md §3.1',
  },
  'permission:deny-interrupt': {
    behaviour: 'A denial that interrupts ends the turn as an interrupt does.',
    source: 'protocol.md §3.1',
  },
  'permission:deny-interrupt-message': {
    behaviour: 'A denial that interrupts keeps its message.',
    source: 'protocol.md §3.1',
    except: LATEST_FAILS,
  },
  'permission:second-answer': {
    behaviour: 'A second answer to the same prompt is ignored.',
    source: 'protocol.md §3.1',
  },
  'permission:add-rule': {
    behaviour: 'A rule that allows a tool for the session silences its prompts.',
    source: 'protocol.md §3.1',
  },
  'permission:deny-rule': {
    behaviour: 'A rule that denies a tool for the session refuses its calls without a prompt.',
    source: 'protocol.md §3.1',
  },
  'permission:set-mode': {
    behaviour: 'An answer can change the permission mode, and `system/init` shows it.',
    source: 'protocol.md §3.1',
  },
  'permission:bad-update': {
    behaviour: 'A bad entry in `updatedPermissions` is passed over and the call runs.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'permission:local-settings': {
    behaviour: 'A rule for `localSettings` is written to the settings file of the folder.',
    source: 'protocol.md §3.1',
  },
  'permission:nobody-to-ask': {
    behaviour: 'Without `--permission-prompt-tool stdio` a call that needs permission is denied unasked.',
    source: 'protocol.md §3.1',
  },
  'permission:at-once': {
    behaviour: 'Calls of read-only tools in one message are asked about at once.',
    source: 'protocol.md §3.1',
  },
} as const satisfies Requirements;
