// A CI job: none of the machine's settings, no questions, a budget, and an exit code.
import assert from 'node:assert/strict';
import { openSession } from 'coxswain';
import { emulatorProgram } from 'coxswain/testing';

// No key and no network: an emulated CLI stands in. Without this line your own Claude CLI is used.
process.env.CLAUDE_CODE_PATH = emulatorProgram();

// #region job
await using session = await openSession({
  settingSources: [], // ignore this machine's settings files
  envMode: 'isolated', // pass only basic variables such as PATH
  env: { ANTHROPIC_API_KEY: process.env.ANTHROPIC_API_KEY },
  permissionMode: 'default',
  allowedTools: ['Read', 'Grep', 'Bash(git diff:*)'],
  maxTurns: 30,
  maxBudgetUsd: 1,
  stallMs: 300_000,
  stopOnAuthFailure: true,
  signal: AbortSignal.timeout(20 * 60_000),
  persistSession: false,
});
const outcome = await session.send('Review the last commit').outcome;
process.exitCode = outcome.kind === 'success' ? 0 : 1;
// #endregion

assert.equal(outcome.kind, 'success');
console.log(outcome.kind);
