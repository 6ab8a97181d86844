import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mcpServer } from '../../host/mcp/mcp-server.js';
import { tool } from '../../host/mcp/tool.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { Scene } from '../../lab/testing/emulator/cli.js';
import { emulateCli } from '../../lab/testing/emulator/emulate-cli.js';
import { onUser, type Scenario } from '../../lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../lab/testing/emulator/steps/asking-steps.js';
import { act } from '../../lab/testing/emulator/steps/life-steps.js';
import { say } from '../../lab/testing/emulator/steps/speech-steps.js';
import type { UseToolOptions } from '../../lab/testing/emulator/steps/step-types.js';
import { endTask, startTask } from '../../lab/testing/emulator/steps/task-steps.js';
import { askQuestion, question, runTool, useTool } from '../../lab/testing/emulator/steps/tool-steps.js';
import { AFTER, BEFORE, GREET } from './demo-project.js';

/** Messages for the console demo, in order. */
export const CONSOLE_SUGGESTIONS = [
  'The greeting test fails. Please fix it.',
  'Make a plan for a second language.',
  'What time is it, and what runs in the background?',
];

const PACE = { chunk: 8, delayMs: 15 };

const STYLE = question(
  'How should names be greeted?',
  [
    { label: 'Hello, Ada!', description: 'With a comma and an exclamation mark' },
    { label: 'Hello Ada', description: 'As it is now; the test is wrong' },
  ],
  { header: 'Greeting' },
);
const PLACES = question('Where is it used?', ['Web page', 'Command line', 'E-mails'], {
  header: 'Places',
  multiSelect: true,
});

const PLAN = `## A second language

1. Move the texts of \`greet\` into \`texts/en.json\`.
2. Add \`texts/de.json\`, checked to have the same keys.
3. Let \`greet(name, { language })\` choose; English stays the default.

Nothing else changes, and the existing tests stay as they are.`;

/** The console demo's conversation: permissions, a question, an edit, a plan, tools, a background task. */
function consoleScenario(project: string | undefined): Scenario {
  return [
    onUser([
      // Another session may have edited the file already.
      act(() => write(project, BEFORE)),
      say('I will run the tests first.', PACE),
      useTool(
        'Bash',
        { command: 'npm test', description: 'Run the tests' },
        {
          ask: true,
          result:
            'Exit code 1\n\u001b[31mFAIL\u001b[39m greeting\n  expected "Hello, Ada!"\n  received "Hello Ada"',
          isError: true,
          prompt: ALWAYS_TEST,
        },
      ),
      say('The test expects a different greeting than the code returns. Before I choose:', PACE),
      askQuestion([STYLE, PLACES]),
      say('Then the code is wrong, not the test.', PACE),
      useTool('Read', { file_path: GREET }, { result: BEFORE }),
      act((_cli, scene) => edit(scene, project)),
      useTool(
        'Bash',
        { command: 'npm test' },
        { ask: true, result: '\u001b[32mPASS\u001b[39m greeting', prompt: ALWAYS_TEST },
      ),
      say(
        'All tests pass. The greeting is now:\n\n```js\nreturn "Hello, " + name + "!";\n```\n\n| test | before | now |\n|---|---|---|\n| greeting | fails | **passes** |',
        PACE,
      ),
    ]),
    onUser([
      say('Let me think about how the texts are stored.', PACE),
      useTool('ExitPlanMode', { plan: PLAN }, { ask: true, result: 'The plan was approved.' }),
      say('I will start with the texts. Tell me when you want to see them.', PACE),
    ]),
    onUser([
      mcpTool('clock', 'now', {}),
      startTask('demo-watch', { description: 'npm run watch', output: 'watching …' }),
      say('That is the time from the `clock` server. `npm run watch` now runs in the background.', PACE),
    ]),
    onUser(
      undefined,
      (text) => [
        endTask('demo-watch', { summary: 'The watcher was stopped.' }),
        say(`I am an emulated CLI: no key, no network, no model. You said: ${text}`, PACE),
      ],
      { times: 'any' },
    ),
  ];
}

/** Edits the demo's file, and reports its earlier content as a CLI does. */
async function edit(scene: Scene, project: string | undefined): Promise<void> {
  await runTool(scene, {
    name: 'Edit',
    input: { file_path: GREET, old_string: BEFORE, new_string: AFTER },
    options: { ask: true },
    run: async () => {
      await write(project, AFTER);
      const content = `The file ${GREET} has been updated.`;
      const structured = project === undefined ? content : { filePath: GREET, originalFile: BEFORE };
      return { content, isError: false, structured };
    },
  });
}

async function write(project: string | undefined, text: string): Promise<void> {
  if (project !== undefined) await writeFile(join(project, GREET), text);
}

const ALWAYS_TEST: NonNullable<UseToolOptions['prompt']> = {
  permission_suggestions: [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
      behavior: 'allow',
      destination: 'session',
    },
  ],
};

const CLOCK = mcpServer('clock', [
  tool({
    name: 'now',
    description: 'Tells the time.',
    input: { type: 'object', properties: {} },
    run: () => new Date().toISOString(),
  }),
]);

/**
 * How the demo opens a session: an emulated CLI in this process, with a tool server. It edits files only in the demo's
 * own project.
 */
export function demoSession(
  { cwd, model, permissionMode }: DemoSession,
  project?: string | undefined,
): SessionOptions {
  const given = {
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
  };
  return {
    mcpServers: { clock: CLOCK },
    transport: () =>
      emulateCli(consoleScenario(cwd === project ? project : undefined), {
        cwd,
        partialMessages: true,
        strict: false,
        ...given,
      }).transport,
  };
}

interface DemoSession {
  readonly cwd: string;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
}
