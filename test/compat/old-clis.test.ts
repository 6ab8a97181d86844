import * as z from 'zod';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { differential } from './harness/differential.js';
import type { Program } from './harness/program.js';
import { Prompts, STOP } from './harness/stage.js';

const ASKED = useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md' });

/** What programs do most, on a CLI that is older than the official SDK. */
function onOldCli(version: string): readonly Program[] {
  const programs: readonly Program[] = [
    {
      name: 'a tool call is allowed, and a question answered',
      scenarios: [[onUser([ASKED, askQuestion(question('Which?', ['Red', 'Green'])), say('Done.')])]],
      run: (sdk, stage) => {
        const canUseTool = async (
          name: string,
          input: Record<string, unknown>,
          { signal, ...more }: { signal: unknown },
        ) => {
          stage.tell('asked', name, input, more, signal instanceof AbortSignal);
          return { behavior: 'allow', updatedInput: { ...input, answers: { 'Which?': 'Red' } } };
        };
        return stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ canUseTool }) }));
      },
    },
    {
      name: 'a tool call is denied',
      scenarios: [[onUser([ASKED, say('Done.')])]],
      run: (sdk, stage) => {
        const canUseTool = async () => ({ behavior: 'deny', message: 'No.' });
        return stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ canUseTool }) }));
      },
    },
    {
      name: 'a hook is called',
      scenarios: [[onUser([useTool('Bash', { command: 'ls' }), say('Done.')])]],
      run: (sdk, stage) => {
        const before = async (input: unknown, id: unknown) => {
          stage.tell('before', input, id);
          return { continue: true };
        };
        const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [before] }] };
        return stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ hooks }) }));
      },
    },
    {
      name: 'an in-process tool is called',
      accepts: ['mcp-task-support', 'mcp-acknowledgement'],
      scenarios: [[onUser([mcpTool('clock', 'time', { city: 'Rome' }), say('Done.')])]],
      run: (sdk, stage) => {
        const time = sdk.tool('time', 'Tells the time', { city: z.string() }, async (args: unknown) => {
          stage.tell('time', args);
          return { content: [{ type: 'text', text: 'Noon.' }] };
        });
        const mcpServers = { clock: sdk.createSdkMcpServer({ name: 'clock', tools: [time] }) };
        return stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ mcpServers }) }));
      },
    },
    {
      name: 'a turn is interrupted, and the model changed',
      accepts: ['no-agents'],
      scenarios: [[onUser([say('Wait.'), hang()]), onUser([done('Better.')])]],
      run: async (sdk, stage) => {
        const prompts = new Prompts();
        const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() });
        await stage.read(query, async ({ type, result }) => {
          if (type === 'assistant') await stage.outcome('interrupt', query.interrupt());
          if (type !== 'result') return;
          if (result !== 'Better.') {
            await stage.outcome('setModel', query.setModel('haiku'));
            await stage.outcome('setPermissionMode', query.setPermissionMode('plan'));
            await stage.outcome('supportedAgents', query.supportedAgents());
          }
          prompts.next();
        });
      },
    },
    {
      name: 'a failing API ends in a result',
      scenarios: [[onUser([apiFailure({ status: 529, error: 'overloaded' })])]],
      run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
    },
    {
      name: 'a program leaves the loop',
      scenarios: [[onUser([say('One.'), hang()])]],
      run: (sdk, stage) =>
        stage.read(
          sdk.query({ prompt: 'Hi', options: stage.options() }),
          ({ type }) => type === 'assistant' && STOP,
        ),
    },
  ];
  return programs.map((program) => ({ ...program, version, name: `${program.name} [${version}]` }));
}

differential([...onOldCli('2.0.73'), ...onOldCli('2.1.17')]);
