import { onUser, type Scenario } from '../../lab/testing/emulator/scenario/scenario.js';
import { act } from '../../lab/testing/emulator/steps/life-steps.js';
import { performSay, say } from '../../lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../lab/testing/emulator/steps/tool-steps.js';
import type { PermissionUpdate } from '../../wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { isObject } from '../../wire/protocol/frames.js';

/** What the user says in the demo. */
export const DEMO_MESSAGES = [
  'Hello! Who are you, and what is in this folder?',
  'And again: what is in this folder?',
];

const PACE = { chunk: 6, delayMs: 20 };

const COLOURS = question('Which colour do you like best?', ['Red', 'Green', 'Blue'], { header: 'Colour' });

const LISTING = 'README.md\npackage.json\nsrc';

/**
 * The demo: a greeting, a permission that can be granted permanently, a question, and a second turn that uses
 * both.
 */
export function demoScenario(): Scenario {
  let colour = '';
  let listed = false;
  const look = act(() => {
    listed = false;
  });
  const listFiles = useTool(
    'Bash',
    { command: 'ls', description: 'List the files here' },
    {
      ask: true,
      result: () => {
        listed = true;
        return LISTING;
      },
      prompt: { permission_suggestions: [ALWAYS_LS] },
    },
  );
  return [
    onUser([
      say('Hello! I am an emulated Claude CLI inside this program: no key, no network, no model.', PACE),
      say('Let me look around. For that I need your permission.', PACE),
      look,
      listFiles,
      act((_cli, scene) => performSay(say(afterListing(listed), PACE), scene)),
      askQuestion(COLOURS, {
        expect: (answer) => {
          colour = chosenColour(answer);
          return true;
        },
      }),
      act((_cli, scene) => performSay(say(afterQuestion(colour), PACE), scene)),
    ]),
    onUser([look, listFiles, act((_cli, scene) => performSay(say(atLast(listed), PACE), scene))]),
    onUser(undefined, (text) => [say(`You said: ${text}`, PACE)], { times: 'any' }),
  ];
}

const ALWAYS_LS: PermissionUpdate = {
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

function afterListing(listed: boolean): string {
  return listed
    ? 'Thank you. One question before I continue.'
    : "All right, I won't look. One question before I continue.";
}

function atLast(listed: boolean): string {
  return listed
    ? 'README.md, package.json and src. If you allow a command for the session, you are not asked again.'
    : 'You did not allow it, so I cannot say what is here.';
}

function afterQuestion(colour: string): string {
  return colour === ''
    ? 'No answer, then. That was a complete turn.'
    : `${colour} it is. That was a complete turn: text, a permission, a question and a result.`;
}
