import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { askHost } from '../../src/lab/testing/emulator/steps/asking-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step, UseToolOptions } from '../../src/lab/testing/emulator/steps/step-types.js';
import { askQuestion, question, useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import type { PermissionUpdate } from '../../src/wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import { differential } from './harness/differential.js';
import type { Options, Program } from './harness/program.js';
import { Prompts } from './harness/stage.js';

type Decide = (name: string, input: Record<string, unknown>, options: Record<string, unknown>) => unknown;

const SUGGESTIONS: PermissionUpdate[] = [
  {
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: 'ls' }],
    behavior: 'allow',
    destination: 'session',
  },
];

/** A tool that needs permission, and the decision of `canUseTool`. */
function asked(
  name: string,
  decide: Decide | undefined,
  more: Partial<Program> & { tool?: UseToolOptions; steps?: readonly Step[]; options?: Options } = {},
): Program {
  const { tool, options, steps, ...rest } = more;
  const run: Step = useTool('Bash', { command: 'ls' }, { ask: true, result: 'README.md', ...tool });
  return {
    name,
    scenarios: [[onUser([say('Let me see.'), ...(steps ?? [run]), say('That is all.')])]],
    run: (sdk, stage) => {
      const canUseTool: Decide = (tool, input, { signal, ...given }) => {
        stage.tell('canUseTool', tool, input, given, signal instanceof AbortSignal);
        return decide?.(tool, input, { signal, ...given });
      };
      const own = { ...(decide === undefined ? {} : { canUseTool }), ...options };
      return stage.read(sdk.query({ prompt: 'Hi', options: stage.options(own) }));
    },
    ...rest,
  };
}

const NONSENSE = { accepts: ['nonsense-is-refused'] };

const allow = async (_name: string, input: unknown) => ({ behavior: 'allow', updatedInput: input });

differential([
  asked('an allowed tool call runs', allow),
  asked('a tool call is allowed with another input', async () => ({
    behavior: 'allow',
    updatedInput: { command: 'ls -a' },
  })),
  asked('a tool call is allowed without an input', async () => ({ behavior: 'allow' })),
  asked(
    'rules come with the permission',
    async (_name, input, { suggestions }) => ({
      behavior: 'allow',
      updatedInput: input,
      updatedPermissions: suggestions,
    }),
    { tool: { prompt: { permission_suggestions: SUGGESTIONS } } },
  ),
  asked('a tool call is denied', async () => ({ behavior: 'deny', message: 'Not here.' })),
  asked('a tool call is denied and the turn interrupted', async () => ({
    behavior: 'deny',
    message: 'Stop it.',
    interrupt: true,
  })),
  asked('a decision is classified', async (_name, input) => ({
    behavior: 'allow',
    updatedInput: input,
    decisionClassification: 'user_permanent',
  })),
  asked('the id of the tool call in a decision is the one asked about', async (_name, input) => ({
    behavior: 'allow',
    updatedInput: input,
    toolUseID: 'another',
  })),
  asked('a decision that is not a promise counts', (_name, input) => ({
    behavior: 'allow',
    updatedInput: input,
  })),
  asked('canUseTool throws', async () => {
    throw new Error('I cannot decide.');
  }),
  asked('canUseTool returns nothing', async () => undefined, NONSENSE),
  asked('canUseTool returns an invalid value', async () => ({ behavior: 'perhaps' }), NONSENSE),
  {
    name: 'a prompt is withdrawn when the turn is interrupted',
    accepts: ['nothing-after-withdrawal'],
    scenarios: [[onUser([useTool('Bash', { command: 'ls' }, { ask: true })]), onUser([say('Better.')])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const canUseTool = (_name: string, _input: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stage.tell('withdrawn');
            resolve({ behavior: 'deny', message: 'too late' });
          });
          void query.interrupt();
        });
      const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options({ canUseTool }) });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
  },
  asked('there is no canUseTool', undefined),
  asked('all fields of a prompt are passed on', allow, {
    tool: {
      prompt: {
        permission_suggestions: SUGGESTIONS,
        blocked_path: '/etc',
        decision_reason: 'outside',
        decision_reason_type: 'workingDir',
        title: 'Run a command',
        display_name: 'Shell',
        description: 'lists files',
        agent_id: 'agent-1',
        default_to_no: true,
        suppress_always_allow_rule: true,
        matched_ask_rule: { source: 'userSettings', tool_name: 'Bash' },
        classifier_approvable: true,
        requires_user_interaction: true,
      },
    },
  }),
  asked('two tool calls prompt one after the other', allow, {
    steps: [
      useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }),
      useTool('Write', { file_path: 'a', content: 'b' }, { ask: true, result: 'ok' }),
    ],
  }),
  asked(
    'a question is answered',
    async (_name, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, answers: { 'Which colour?': 'Green' } },
    }),
    { steps: [askQuestion(question('Which colour?', ['Red', 'Green']))] },
  ),
  asked('a question is refused', async () => ({ behavior: 'deny', message: 'No idea.' }), {
    steps: [askQuestion('Sure?')],
  }),
  asked('the permission mode is passed on', allow, { options: { permissionMode: 'acceptEdits' } }),
  asked('the name of the permission prompt tool is passed on', undefined, {
    options: { permissionPromptToolName: 'mcp__gate__ask' },
  }),
  asked('an unknown request is refused', allow, {
    steps: [askHost({ subtype: 'from_the_future', value: 1 })],
  }),
  {
    name: 'canUseTool and a permission prompt tool exclude each other',
    accepts: ['own-words'],
    run: async (sdk, stage) => {
      const options = stage.options({ canUseTool: allow, permissionPromptToolName: 'mcp__gate__ask' });
      try {
        await stage.read(sdk.query({ prompt: 'Hi', options }));
      } catch (error) {
        stage.tell('query failed', stage.thrown(error));
      }
    },
  },
]);
