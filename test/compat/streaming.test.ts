import { onUser, unasked } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done, fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { endTask, startTask } from '../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { differential } from './harness/differential.js';
import type { Program } from './harness/program.js';
import { Prompts, user } from './harness/stage.js';

const ECHO = [onUser(undefined, (text) => [say(`You said ${text}`)], { times: 'any' })] as const;

/** Messages that wait for the result of the previous one. */
function inTurn(name: string, messages: readonly unknown[], more: Partial<Program> = {}): Program {
  return {
    name,
    scenarios: [ECHO],
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const query = sdk.query({ prompt: prompts.of(...messages), options: stage.options() });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
    ...more,
  };
}

function state(name: string): Step {
  return send({ type: 'system', subtype: 'session_state_changed', state: name, sdk_host_only: true });
}

async function* at(...messages: readonly unknown[]): AsyncGenerator<unknown> {
  yield* messages;
}

differential([
  inTurn('one message from an iterable is answered', ['one']),
  inTurn('three messages from an iterable are answered in turn', ['one', 'two', 'three']),
  inTurn('the fields of a message are sent unchanged', [
    user([
      { type: 'text', text: 'look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
    ]),
    user('again', {
      uuid: '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a',
      session_id: 'mine',
      priority: 'now',
      extra: 1,
    }),
  ]),
  {
    name: 'messages that all come at once are all sent',
    // The first turn lasts until the others have arrived.
    scenarios: [[onUser('one', [useTool('Read', {}, { ask: true }), say('One.')]), ...ECHO]],
    run: (sdk, stage) => {
      let allSent = () => {};
      const sent = new Promise<void>((resolve) => {
        allSent = resolve;
      });
      const prompt = (async function* () {
        yield* [user('one'), user('two'), user('three')];
        allSent();
      })();
      const canUseTool = () => sent.then(() => ({ behavior: 'deny', message: 'No.' }));
      return stage.read(sdk.query({ prompt, options: stage.options({ canUseTool }) }));
    },
  },
  {
    name: 'a list of messages serves as an iterable',
    run: (sdk, stage) => {
      const prompt = [user('one')] as unknown as AsyncIterable<unknown>;
      return stage.read(sdk.query({ prompt, options: stage.options() }));
    },
  },
  {
    name: 'an iterable without a message ends the session',
    run: (sdk, stage) => stage.read(sdk.query({ prompt: at(), options: stage.options() })),
  },
  {
    name: 'an iterable that throws',
    accepts: ['abort-error-name'],
    scenarios: [ECHO],
    run: (sdk, stage) => {
      const prompt = (async function* () {
        yield user('one');
        throw new Error('no more');
      })();
      return stage.read(sdk.query({ prompt, options: stage.options() }));
    },
  },
  {
    name: 'the input stays open for callbacks after the iterable has ended',
    scenarios: [
      [
        onUser([
          say('Let me.'),
          useTool('Bash', { command: 'ls' }, { ask: true, result: 'a' }),
          done('Done.'),
        ]),
      ],
    ],
    run: (sdk, stage) => {
      const canUseTool = async (name: string) => {
        stage.tell('asked', name);
        return { behavior: 'allow', updatedInput: { command: 'pwd' } };
      };
      return stage.read(sdk.query({ prompt: at(user('go')), options: stage.options({ canUseTool }) }));
    },
  },
  {
    name: 'streamInput sends more messages',
    scenarios: [ECHO],
    run: (_sdk, stage) =>
      stage.askBetween((query) => stage.outcome('streamed', query.streamInput(at(user('two')))), ['one']),
  },
  {
    name: 'streamInput on a string prompt',
    scenarios: [[onUser('Hi', [say('Hello.'), hang()]), onUser([say('More.')])]],
    run: async (sdk, stage) => {
      const query = sdk.query({ prompt: 'Hi', options: stage.options() });
      await stage.read(query, async ({ type }) => {
        if (type !== 'assistant') return;
        if (stage.calls.length > 0) return;
        stage.tell('text');
        void query.streamInput(at(user('two'))).catch(() => {});
        await query.interrupt();
      });
    },
  },
  {
    name: 'a string prompt waits for work that continues after it',
    scenarios: [
      [
        onUser([startTask('build', { description: 'Builds' }), done('Started.')]),
        unasked([endTask('build', { status: 'completed' }), say('It is built.')]),
      ],
    ],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'build it', options: stage.options() })),
  },
  {
    // CLIs report when all work is done to a host that asks for it (CLAUDE_CODE_SDK_READS_SESSION_STATE).
    name: 'the input stays open for callbacks until the CLI says that it is idle',
    scenarios: [
      [
        onUser([state('running'), startTask('build', { description: 'Builds' }), done('Started.')]),
        unasked([
          endTask('build', { status: 'completed' }),
          useTool('Bash', { command: 'ls' }, { ask: true, result: 'built' }),
          say('It is built.'),
          state('idle'),
        ]),
      ],
    ],
    run: (sdk, stage) => {
      const canUseTool = async (name: string, input: unknown) => {
        stage.tell('asked', name);
        return { behavior: 'allow', updatedInput: input };
      };
      return stage.read(sdk.query({ prompt: 'build it', options: stage.options({ canUseTool }) }));
    },
  },
  inTurn('a failed turn does not end a stream of messages', ['one', 'two'], {
    scenarios: [[onUser([fail('error_during_execution')]), onUser([say('Better.')])]],
  }),
  inTurn('prompts can be sent word for word', ['/compact'], {
    run: async (sdk, stage) => {
      const prompts = new Prompts();
      const options = stage.options({ verbatimPrompts: true });
      const query = sdk.query({ prompt: prompts.of('/compact'), options });
      await stage.read(query, ({ type }) => type === 'result' && prompts.next());
    },
  }),
  {
    name: 'a string prompt can be sent word for word',
    run: (sdk, stage) =>
      stage.read(sdk.query({ prompt: '/compact', options: stage.options({ verbatimPrompts: true }) })),
  },
]);
