import { onUser, type Scenario } from '../../lab/testing/emulator/scenario/scenario.js';
import { act } from '../../lab/testing/emulator/steps/life-steps.js';
import { performSay, say } from '../../lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../lab/testing/emulator/steps/tool-steps.js';
import { isObject } from '../../wire/protocol/frames.js';

/** What the person says in the demo. */
export const DEMO_PROMPTS = [
  'Hello! Who are you, and what is in this folder?',
  'And once more, please: what is here?',
];

const PACE = { chunk: 6, delayMs: 20 };

const COLOURS = question('Which colour do you like best?', ['Red', 'Green', 'Blue'], { header: 'Colour' });

const LISTING = 'README.md\npackage.json\nsrc';

/** The demo: a greeting, a permission that can be granted for good, a question, and a second turn that shows it. */
export function demoScenario(): Scenario {
  let colour = '';
  const listFiles = useTool(
    'Bash',
    { command: 'ls', description: 'List the files here' },
    { ask: true, result: LISTING, prompt: { permission_suggestions: [ALWAYS_LS] } },
  );
  return [
    onUser([
      say('Hello! I am an emulated Claude CLI inside this program: no key, no network, no model.', PACE),
      say('Let me look around. For that I need your permission.', PACE),
      listFiles,
      say('Thank you. One question before I go on.', PACE),
      askQuestion(COLOURS, {
        expect: (answer) => {
          colour = chosenColour(answer);
          return true;
        },
      }),
      act((_cli, scene) => performSay(say(afterQuestion(colour), PACE), scene)),
    ]),
    onUser([
      listFiles,
      say(
        'README.md, package.json and src, as before. Had you allowed it always, nobody would have asked.',
        PACE,
      ),
    ]),
    onUser(undefined, (text) => [say(`You said: ${text}`, PACE)], { times: 'any' }),
  ];
}

const ALWAYS_LS = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
  behavior: 'allow',
  destination: 'session',
};

function chosenColour(answer: unknown): string {
  const input = isObject(answer) && isObject(answer.updatedInput) ? answer.updatedInput : {};
  const [first] = Object.values(isObject(input.answers) ? input.answers : {});
  return typeof first === 'string' ? first : '';
}

function afterQuestion(colour: string): string {
  return colour === ''
    ? 'No answer is an answer too. That was a whole turn.'
    : `${colour} it is. That was a whole turn: text, a permission, a question and a result.`;
}
