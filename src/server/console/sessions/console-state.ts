import type { ConsoleState } from '../../../entry/remote/contract.js';
import type { ConsolePrompts } from './console-prompts.js';
import type { SessionCli } from './session-cli.js';

/** The state that clients see: what needs a person comes before what the CLI does. */
export function stateOf(
  cli: SessionCli['state'],
  prompts: Pick<ConsolePrompts, 'asksForMoney' | 'open'>,
  isBusy: boolean,
): ConsoleState {
  if (prompts.asksForMoney) return 'needs-you';
  if (cli === 'none') return 'ended';
  if (cli !== 'connected') return cli;
  if (prompts.open.length > 0) return 'needs-you';
  return isBusy ? 'running' : 'idle';
}
