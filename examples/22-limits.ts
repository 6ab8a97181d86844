// Limits: a turn that goes silent, a turn that takes too long, and a prompt that nobody answers.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { emulateCli, hang, onUser, say, useTool } from 'coxswain/testing';

const cli = emulateCli([
  onUser([say('Let me think.'), hang()]),
  onUser([useTool('Bash', { command: 'make' }, { ask: true, result: 'made' }), say('I may not.')]),
]);
const transport = () => cli.transport;

// #region limits
await using session = await openSession({
  transport,
  stallMs: 300_000, // five minutes without activity end a turn
  promptTimeoutsMs: { permission: 50 }, // an unanswered permission is denied
  prompts: 'manual',
});
const turn = session.send('Think hard', { signal: AbortSignal.timeout(100) });
const outcome = await turn.outcome;
console.log(outcome.kind); // aborted: the session stays open
// #endregion

assert.equal(outcome.kind, 'aborted');
assert.equal(await session.send('Build it').text(), 'I may not.');
