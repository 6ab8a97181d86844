import { setImmediate } from 'node:timers/promises';
import { onRequest, onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { raw } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { die, hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { differential } from './harness/differential.js';
import type { Program, RunningQuery } from './harness/program.js';
import { Prompts, STOP, type Stage } from './harness/stage.js';

const PROMPT = JSON.stringify({
  type: 'control_request',
  request_id: 'twice',
  request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 'toolu_1' },
});

const ERROR_RESULT = {
  ...{ type: 'result', subtype: 'error_during_execution', is_error: true, errors: [], num_turns: 1 },
  ...{ session_id: 's', uuid: 'u', total_cost_usd: 0, usage: {}, modelUsage: {}, permission_denials: [] },
};

const TALKS_ON = [onUser([say('One.'), hang()])];

/** A turn that would continue, and an action at its first text. */
function atFirstWords(
  name: string,
  act: (query: RunningQuery, stage: Stage, abort: AbortController) => unknown,
  more: Partial<Program> = {},
): Program {
  return {
    name,
    scenarios: [TALKS_ON],
    run: async (sdk, stage) => {
      const abortController = new AbortController();
      const query = sdk.query({ prompt: 'Hi', options: stage.options({ abortController }) });
      await stage.read(query, ({ type }) => type === 'assistant' && act(query, stage, abortController));
      await stage.outcome('next', query.next());
    },
    ...more,
  };
}

differential([
  atFirstWords('a program leaves the loop', () => STOP),
  atFirstWords('a program aborts', (_query, _stage, abort) => abort.abort(), {
    accepts: ['abort-error-name'],
  }),
  atFirstWords('a program closes the query', (query) => query.close()),
  atFirstWords('a program closes the query twice', (query) => {
    query.close();
    query.close();
  }),
  atFirstWords('a program ends the iterator', (query, stage) => stage.outcome('return', query.return())),
  atFirstWords('a program disposes of the query', (query, stage) =>
    stage.outcome('disposed', query[Symbol.asyncDispose]()),
  ),
  {
    name: 'a program aborts before the start',
    accepts: ['abort-error-name', 'aborted-before-start'],
    run: async (sdk, stage) => {
      const abortController = new AbortController();
      abortController.abort();
      try {
        await stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ abortController }) }));
      } catch (error) {
        stage.tell('query failed', stage.thrown(error));
      }
    },
  },
  {
    name: 'a program aborts while it is asked for permission',
    accepts: ['abort-at-once'],
    scenarios: [[onUser([useTool('Bash', { command: 'ls' }, { ask: true })])]],
    run: async (sdk, stage) => {
      const abortController = new AbortController();
      const canUseTool = (_name: string, _input: unknown, { signal }: { signal: AbortSignal }) => {
        stage.tell('asked', signal.aborted);
        abortController.abort();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ behavior: 'deny', message: 'gone' }));
        });
      };
      await stage.read(sdk.query({ prompt: 'Hi', options: stage.options({ abortController, canUseTool }) }));
    },
  },
  {
    name: 'requests after the end are refused',
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.read(query);
      await stage.outcome('setModel', query.setModel('haiku'));
      await stage.outcome('interrupt', query.interrupt());
    },
  },
  {
    name: 'requests after a close are refused',
    scenarios: [TALKS_ON],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.read(query, ({ type }) => type === 'assistant' && query.close());
      await stage.outcome('setModel', query.setModel('haiku'));
    },
  },
  {
    name: 'a program breaks out of a stream of prompts',
    accepts: ['prompts-are-ended'],
    scenarios: [[onUser(undefined, [done('Hello.')], { times: 'any' })]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const prompt = (async function* () {
        try {
          yield* prompts.of('one', 'two');
        } finally {
          stage.tell('the prompts are over');
        }
      })();
      await stage.read(
        sdk.query({ prompt, options: stage.options() }),
        ({ type }) => type === 'result' && STOP,
      );
      prompts.next();
    },
  },
  {
    name: 'the CLI exits with a code during a turn',
    scenarios: [[onUser([say('One.'), die({ code: 7 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'a signal ends the CLI during a turn',
    scenarios: [[onUser([say('One.'), die({ signal: 'SIGKILL' })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'the CLI exits with 0 in the middle of a turn',
    accepts: ['unfinished-turn'],
    scenarios: [[onUser([say('One.'), die({ code: 0 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'the CLI exits with a code after a successful result',
    accepts: ['input-ends-later'],
    scenarios: [[onUser([done('Hello.'), die({ code: 2 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'the CLI exits with a code after an error result without a reason',
    accepts: ['input-ends-later'],
    scenarios: [[onUser([send(ERROR_RESULT), die({ code: 1 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'the CLI exits with a code after an error result and a successful one',
    scenarios: [
      [onUser([send({ ...ERROR_RESULT, errors: ['no'] })]), onUser([done('Hi.'), die({ code: 3 })])],
    ],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
  },
  {
    name: 'the CLI exits during the handshake',
    scenarios: [[onRequest('initialize', [die({ code: 9 })])]],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.read(query);
      await stage.outcome('initializationResult', query.initializationResult());
    },
  },
  {
    name: 'the CLI exits while more prompts are pending',
    scenarios: [[onUser([done('Hello.'), die({ code: 1 })])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      await stage.read(sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() }));
      prompts.next();
    },
  },
  {
    name: 'the CLI exits with 0 without any output',
    accepts: ['unfinished-turn'],
    scenarios: [[onUser([die({ code: 0 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'the CLI exits with 0 in its second turn',
    accepts: ['unfinished-turn'],
    scenarios: [[onUser([done('Hello.')]), onUser([say('One.'), die({ code: 0 })])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
  },
  {
    name: 'the CLI exits with 0 after its result, with more prompts pending',
    scenarios: [[onUser([done('Hello.'), die({ code: 0 })])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      await stage.read(sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options() }));
      prompts.next();
    },
  },
  {
    name: 'a stream without prompts ends without an error',
    run: (sdk, stage) => {
      async function* nothing() {}
      return stage.read(sdk.query({ prompt: nothing(), options: stage.options() }));
    },
  },
  {
    name: 'half a line after the result',
    accepts: ['unfinished-turn', 'input-ends-later'],
    scenarios: [
      [onUser([done('Hello.'), { do: 'raw', text: '{"type":"assistant","mess' }, die({ code: 0 })])],
    ],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'half a line at the end counts as an exit in the middle of a turn',
    accepts: ['unfinished-turn'],
    scenarios: [[onUser([say('One.'), { do: 'raw', text: '{"type":"assistant","mess' }, die({ code: 0 })])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'a line that is not an object',
    accepts: ['only-objects'],
    scenarios: [[onUser([raw('42'), say('One.')])]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options() })),
  },
  {
    name: 'a query whose messages nobody reads still sends its prompt',
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.outcome(
        'initialized',
        query.initializationResult().then(() => true),
      );
      await stage.outcome('return', query.return());
    },
  },
  {
    name: 'a cancellation without a request and a second request with the same id are ignored',
    scenarios: [
      [
        onUser([
          send({ type: 'control_cancel_request', request_id: 'nothing' }),
          { do: 'raw', text: `${PROMPT}\n${PROMPT}\n` },
          done('Asked.'),
        ]),
        onUser([say('One.')]),
      ],
    ],
    run: (sdk, stage) => {
      const prompts = new Prompts();
      const canUseTool = async (name: string) => {
        stage.tell('asked', name);
        // The second message arrives while the first is being processed, and the next turn starts when it was answered.
        await setImmediate();
        void setImmediate().then(() => prompts.next());
        return { behavior: 'deny', message: 'No.' };
      };
      const query = sdk.query({ prompt: prompts.of('one', 'two'), options: stage.options({ canUseTool }) });
      return stage.read(
        query,
        ({ type, result }) => type === 'result' && result === 'One.' && prompts.next(),
      );
    },
  },
  {
    name: 'two concurrent queries do not affect each other',
    scenarios: [[onUser([say('One.')])]],
    run: async (sdk, stage) => {
      const first = sdk.query({ prompt: 'one', options: stage.options({ title: 'first' }) });
      const second = sdk.query({ prompt: 'two', options: stage.options({ title: 'second' }) });
      await stage.read(first);
      await stage.read(second);
    },
  },
  {
    name: 'a request is sent before the first message of an iterable',
    scenarios: [[onUser([say('One.')])]],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      async function* afterSetting() {
        await setImmediate();
        await stage.outcome('setModel', query.setModel('haiku'));
        yield* prompts.of('one');
      }
      const query: RunningQuery = sdk.query({ prompt: afterSetting(), options: stage.options() });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
  },
  {
    name: 'messages can be read one by one',
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      for (let step = await query.next(); !step.done; step = await query.next())
        stage.messages.push(step.value);
      await stage.outcome('next', query.next());
    },
  },
  {
    name: 'an error thrown into the iterator ends it',
    scenarios: [TALKS_ON],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.outcome('first', query.next());
      await stage.outcome('throw', query.throw(new Error('mine')));
    },
  },
]);
