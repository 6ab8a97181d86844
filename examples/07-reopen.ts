// A CLI that dies is an outcome, and the conversation continues in a new one.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { die, type EmulatedCli, emulateCli, onUser, say } from 'coxswain/testing';

const lives: EmulatedCli[] = [];
const scenarios = [[onUser([say('I feel unwell.'), die({ code: 137 })])], [onUser([say('I am back.')])]];

// #region reopen
await using session = await openSession({
  transport: () => {
    const cli = emulateCli(scenarios[lives.length]);
    lives.push(cli);
    return cli.transport;
  },
});
const outcome = await session.send('Work hard').outcome;
console.log(outcome.kind, session.state);

await session.reopen();
console.log(await session.send('Are you back?').text());
// #endregion

assert.equal(outcome.kind, 'cli-ended');
assert.equal(lives.length, 2);
for (const cli of lives) cli.assertFinished();
