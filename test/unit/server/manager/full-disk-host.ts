// Sends messages to a conversation whose CLI never answers, until the disk is full; then a scheduled time comes, and
// it is killed.
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { openManager } from '../../../../src/server/manager/open-manager.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { settle } from '../../../support/settle.js';

const store = process.argv[2] ?? '';
const transport = () => emulateCli([onUser(undefined, [hang()], { times: 'any' })]).transport;
const clock = new ManualClock();
const start = Date.now();
const manager = await openManager(
  { store, defaults: { transport } },
  { clock, now: () => start + clock.now() },
);
const daily = manager.conversation('daily');
daily.schedule({ cron: '0 * * * *', timezone: 'UTC', text: 'What is new?' });
const text = 'x'.repeat(500);
const lines: string[] = [];
try {
  for (let n = 0; n < 1_000; n += 1)
    lines.push(`taken ${manager.conversation('one').send(text).userMessageId}`);
} catch (error) {
  lines.push(`refused ${(error as { readonly code?: string }).code}`);
}
daily.on('diagnostic', ({ diagnostic }) => lines.push(`told ${diagnostic.code}`));
for (let n = 0; n < 2; n += 1) {
  clock.advance(3_600_000);
  await settle();
}
process.stdout.write(`${lines.join('\n')}\n`, () => process.kill(process.pid, 'SIGKILL'));
