import { onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';

/** What every client in another language does in the tests: a permission, a question, a tool call, an interrupt, a resume. */
export function spokenConversation(): Scenario {
  const times = { times: 'any' as const };
  return [
    onUser(
      /What is here/,
      [useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' }), say('One file.')],
      times,
    ),
    onUser(
      /Set up/,
      [askQuestion([question('Which database?', ['SQLite', 'Postgres'])]), say('Set up.')],
      times,
    ),
    onUser(/Count/, [say('1, 2, 3 …'), hang()], times),
    onUser(/back/, [say('I am back.')], times),
  ];
}
