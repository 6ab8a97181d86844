import { expect, test } from 'vitest';
import { flagsInHelp } from '../../../../../src/lab/conformance/ledger/help.js';

const HELP = `Usage: claude [options] [command] [prompt]

Options:
  --add-dir <directories...>            Folders
  --allowedTools, --allowed-tools <tools...>
      Tools to allow, as with
      --tools
  -p, --print                           Print the answer. Restarts all
                                        of them with --all
  --permission-prompts <how>            Like --permission-prompt-tool
Commands:
  respawn [options] [id]                Restart with --force
  --odd                                 Not an option
`;

test('a help lists the flags that begin an entry, and not those that descriptions mention', () => {
  expect(flagsInHelp(HELP)).toEqual([
    '--add-dir',
    '--allowed-tools',
    '--allowedTools',
    '--permission-prompts',
    '--print',
  ]);
});
