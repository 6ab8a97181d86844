// Sends messages to a conversation whose CLI never answers, until the disk is full; then it is killed.
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';

const store = process.argv[2] ?? '';
const transport = () => emulateCli([onUser(undefined, [hang()], { times: 'any' })]).transport;
const manager = await openManager({ store, defaults: { transport } });
const text = 'x'.repeat(500);
const lines: string[] = [];
try {
  for (let n = 0; n < 1_000; n += 1)
    lines.push(`taken ${manager.conversation('one').send(text).userMessageId}`);
} catch (error) {
  lines.push(`refused ${(error as { readonly code?: string }).code}`);
}
process.stdout.write(`${lines.join('\n')}\n`, () => process.kill(process.pid, 'SIGKILL'));
