import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { answer, refuse } from '../../src/lab/testing/emulator/steps/answer-steps.js';
import { act, die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { eventually } from '../support/eventually.js';
import { settle } from '../support/settle.js';
import { differential } from './harness/differential.js';
import type { Program, RunningQuery, Sdk } from './harness/program.js';
import { Prompts, type Stage } from './harness/stage.js';

type Ask = (query: RunningQuery, stage: Stage) => Promise<unknown>;

/** Methods that are called between two turns. */
function between(name: string, ask: Ask, more: Partial<Program> = {}): Program {
  return {
    name,
    run: (_sdk, stage) => stage.askBetween((query) => ask(query, stage)),
    ...more,
  };
}

/** One method, whose request is answered or refused in its own way. */
function asks(method: string, args: readonly unknown[], subtype?: string, step?: Step): Program {
  const scenario = [
    ...(subtype === undefined || step === undefined ? [] : [onRequest(subtype, [step])]),
    onUser(undefined, [done('Hello.')], { times: 'any' }),
  ];
  return between(
    `${method} asks and answers the same${step === undefined ? '' : step.do === 'refuse' ? ', refused' : ''}`,
    (query, stage) => stage.outcome(method, query[method](...args)),
    { scenarios: [scenario] },
  );
}

const USAGE = { categories: [], totalTokens: 1, maxTokens: 2, rawMaxTokens: 2, percentage: 50, model: 'm' };

/** A turn that does not end by itself, and an action once it starts. */
async function whileTalking(sdk: Sdk, stage: Stage, act: Ask): Promise<void> {
  const prompts = new Prompts();
  const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() });
  await stage.read(query, async ({ type }) => {
    if (type === 'assistant' && stage.calls.length === 0) await act(query, stage);
    if (type === 'result') prompts.next();
  });
}

/** A text prompt, and a request whose answer arrives after its result. */
function inFlight(name: string, at: string): Program {
  const readResult = new Set<string>();
  // A query that closes its input after the result has done so by then: everything is in this process.
  const afterResult = act(async ({ state }) => {
    await eventually(() => readResult.has(state.cwd));
    await settle(20);
  });
  return {
    name,
    accepts: ['request-in-flight'],
    scenarios: [
      [onRequest('get_context_usage', [afterResult, answer(USAGE)]), onUser([say('One.'), done('Hello.')])],
    ],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      let asked: Promise<void> | undefined;
      await stage.read(query, ({ type }) => {
        if (type === at) asked ??= stage.outcome('getContextUsage', query.getContextUsage());
        if (type === 'result') readResult.add(stage.folder);
      });
      await asked;
    },
  };
}

differential([
  inFlight('a request in flight when a text prompt gets its result is answered', 'assistant'),
  inFlight('a request made when a text prompt gets its result is answered', 'result'),
  {
    name: 'a turn is interrupted and the next one continues',
    scenarios: [[onUser([say('This takes long.'), hang()]), onUser([say('Better.')])]],
    run: (sdk, stage) => whileTalking(sdk, stage, (query) => stage.outcome('interrupt', query.interrupt())),
  },
  {
    name: 'a running tool is interrupted',
    scenarios: [
      [
        onUser([say('Wait.'), useTool('Bash', { command: 'sleep' }, { takesMs: 60_000 })]),
        onUser([say('Better.')]),
      ],
    ],
    run: (sdk, stage) => whileTalking(sdk, stage, (query) => stage.outcome('interrupt', query.interrupt())),
  },
  between('an interrupt between turns is answered', (query, stage) =>
    stage.outcome('interrupt', query.interrupt()),
  ),
  asks('setModel', ['haiku']),
  asks('setModel', []),
  asks('setPermissionMode', ['plan']),
  asks('setPermissionMode', ['nonsense'], 'set_permission_mode', refuse('no such mode', 'invalid_mode')),
  asks('setMaxThinkingTokens', [2048]),
  asks('setMaxThinkingTokens', [null, 'omitted']),
  asks('mcpServerStatus', []),
  asks('supportedCommands', []),
  asks('supportedModels', []),
  asks('supportedAgents', []),
  asks('accountInfo', []),
  asks('initializationResult', []),
  asks('reinitialize', []),
  asks('getContextUsage', [], 'get_context_usage', answer(USAGE)),
  asks('getContextUsage', [{ detail: 'summary' }], 'get_context_usage', answer(USAGE)),
  asks('applyFlagSettings', [{ model: 'haiku', effortLevel: null }]),
  asks('updateSettings', ['localSettings', { outputStyle: 'brief' }], 'update_settings', answer({})),
  asks(
    'rewindFiles',
    ['0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a', { dryRun: true }],
    'rewind_files',
    answer({ canRewind: true, filesChanged: ['a'] }),
  ),
  asks('rewindFiles', ['0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a'], 'rewind_files', refuse('nothing there')),
  asks('stopTask', ['task-1']),
  asks('backgroundTasks', []),
  asks('backgroundTasks', ['tool-1'], 'background_tasks', answer({ backgrounded: false })),
  asks(
    'readFile',
    ['a.txt', { maxBytes: 10, encoding: 'base64' }],
    'read_file',
    answer({ contents: 'YQ==', absPath: '/a.txt' }),
  ),
  asks('readFile', ['a.txt'], 'read_file', refuse('no such file')),
  asks('seedReadState', ['a.txt', 12], 'seed_read_state', answer({})),
  asks('reconnectMcpServer', ['files'], 'mcp_reconnect', answer({})),
  asks('toggleMcpServer', ['files', false], 'mcp_toggle', answer({})),
  asks(
    'setMcpServers',
    [{ files: { command: 'node', args: ['files.js'] } }],
    'mcp_set_servers',
    answer({ added: ['files'], removed: [], errors: {} }),
  ),
  asks(
    'readMcpResource',
    ['files', 'ui://a'],
    'mcp_read_resource',
    answer({ contents: [{ uri: 'ui://a', text: 'a' }] }),
  ),
  asks(
    'setMcpPermissionModeOverride',
    ['files', 'auto'],
    'set_mcp_permission_mode_override',
    answer({ warning: 'w' }),
  ),
  asks(
    'reloadPlugins',
    [{ holdOnCacheImpact: true, refuseIfBusy: true }],
    'reload_plugins',
    answer({ commands: [], agents: [], plugins: [], mcpServers: [], error_count: 0 }),
  ),
  asks('reloadPlugins', [], 'reload_plugins', refuse('busy', 'reload_plugins_busy')),
  asks('reloadSkills', [], 'reload_skills', answer({ skills: [] })),
  asks('reloadOutputStyles', [], 'reload_output_styles', answer({ available_output_styles: ['default'] })),
  asks(
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    [{ skipBehaviors: true }],
    'get_usage',
    answer({ session: {}, rate_limits_available: false }),
  ),
  between(
    'commands follow the CLI’s updates',
    (query, stage) => stage.outcome('commands', query.supportedCommands()),
    {
      scenarios: [
        [
          onUser([
            send({
              type: 'system',
              subtype: 'commands_changed',
              commands: [{ name: 'new', description: 'New', argumentHint: '' }],
            }),
            done('Hello.'),
          ]),
          onUser([done('Bye.')]),
        ],
      ],
    },
  ),
  {
    name: 'the capabilities of the CLI are known before the first message is read',
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.outcome('models', query.supportedModels());
      await stage.read(query);
    },
  },
  {
    name: 'a pending request is refused when the CLI ends',
    scenarios: [[onRequest('set_model', [die({ code: 3 })]), onUser([done('Hello.')])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() });
      await stage.read(query, async ({ type }) => {
        if (type === 'result') await stage.outcome('setModel', query.setModel('haiku'));
      });
    },
  },
  {
    name: 'a refused handshake ends in an error',
    accepts: ['refused-handshake'],
    scenarios: [[onRequest('initialize', [refuse('not today')]), onUser([done('Hello.')])]],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.outcome('initializationResult', query.initializationResult());
      await stage.read(query);
    },
  },
]);
