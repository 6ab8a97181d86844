import { say } from '../steps/speech-steps.js';
import { askQuestion, question, useTool } from '../steps/tool-steps.js';
import { onUser, type Scenario } from './scenario.js';

/** A short, friendly conversation: a greeting, one permission, one question, and then an echo. */
export const defaultScenario: Scenario = [
  onUser([
    say('Hello! I am an emulated CLI: no model, no key, no network. Let me look around first.', {
      delayMs: 15,
    }),
    useTool(
      'Bash',
      { command: 'ls', description: 'List the files here' },
      { ask: true, result: 'README.md\npackage.json\nsrc' },
    ),
    say('Now I know what is here. One question before I continue.', { delayMs: 15 }),
    askQuestion(question('Which colour do you like best?', ['Red', 'Green', 'Blue'], { header: 'Colour' })),
    say('Thank you. That was a complete turn: text, a permission, a question and a result.', { delayMs: 15 }),
  ]),
  onUser(undefined, (text) => [say(`You said: ${text}`, { delayMs: 15 })], { times: 'any' }),
];
