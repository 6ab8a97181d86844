import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hugeLine, noise, raw, splitUtf8 } from '../../src/lab/testing/emulator/steps/fault-steps.js';
import { die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done, fail } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say, send } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../src/lab/testing/emulator/steps/step-types.js';
import { endTask, startTask } from '../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { differential } from './harness/differential.js';
import type { Options, Program } from './harness/program.js';

/** One question, read to its end. */
function plain(
  name: string,
  steps: readonly Step[],
  more: Partial<Program> & { options?: Options } = {},
): Program {
  const { options, ...rest } = more;
  return {
    name,
    scenarios: [[onUser(steps)]],
    run: (sdk, stage) => stage.read(sdk.query({ prompt: 'Hi', options: stage.options(options) })),
    ...rest,
  };
}

const SCHEMA = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };

differential([
  plain('a string prompt is answered', [say('Hello.')]),
  plain('several texts and a tool arrive as separate messages', [
    say('Let me look.'),
    useTool('Read', { file_path: 'a.txt' }, { result: 'content' }),
    say('It says content.'),
  ]),
  plain('an empty prompt is sent too', [say('Say more.')], {
    run: (sdk, stage) => stage.read(sdk.query({ prompt: '', options: stage.options() })),
  }),
  plain('partial messages come between', [say('One two three four five six.')], {
    options: { includePartialMessages: true },
  }),
  plain('thinking arrives unchanged', [
    say([
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ]),
  ]),
  plain('messages of unknown types arrive unchanged', [
    send({ type: 'from_the_future', deep: { key: [1, null] } }),
    send({ type: 'system', subtype: 'unheard_of', more: true }),
    say('Hello.'),
  ]),
  plain('noise in the output is skipped', [noise(), say('Hello.')]),
  plain('a long line comes whole', [hugeLine(200_000), say('Hello.')]),
  plain('characters that are cut come whole', [splitUtf8(), say('Hello.')]),
  plain('a keep-alive is not seen', [send({ type: 'keep_alive' }), say('Hello.')]),
  plain('a background task is reported', [
    startTask('build', { description: 'Builds' }),
    endTask('build', { status: 'completed' }),
    say('Done.'),
  ]),
  plain('a rate limit is reported', [
    send({ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning' } }),
    say('Hello.'),
  ]),
  plain('the session state for hosts is not passed on', [
    send({ type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true }),
    send({ type: 'system', subtype: 'session_state_changed', state: 'idle' }),
    say('Hello.'),
  ]),
  plain(
    'an answer that fits a schema comes with the result',
    [done('{"answer":42}', { structured_output: { answer: 42 } })],
    {
      options: { outputFormat: { type: 'json_schema', schema: SCHEMA } },
    },
  ),
  plain('a result that says too many turns ends in an error', [say('Going on.'), fail('error_max_turns')], {
    options: { maxTurns: 1 },
  }),
  plain('an over-budget result ends in an error', [fail('error_max_budget_usd')], {
    options: { maxBudgetUsd: 0.01 },
  }),
  plain('a result with an error in the turn ends in an error', [
    fail('error_during_execution', { errors: ['It broke.', 'Twice.'] }),
  ]),
  plain('a failing API ends in a result', [apiFailure({ status: 529, error: 'overloaded' })]),
  plain(
    'a last line without its end counts',
    [
      raw('{"type":"system","subtype":"almost"}'),
      done('Hello.'),
      { do: 'raw', text: '{"type":"system","subtype":"last"}' },
      die({ code: 0 }),
    ],
    { accepts: ['input-ends-later'] },
  ),
  plain('options that nobody knows are tolerated', [say('Hello.')], {
    options: { doesNotExist: true, temperature: 0.5 },
  }),
  plain('options that are undefined are not given', [say('Hello.')], {
    options: {
      model: undefined,
      hooks: undefined,
      canUseTool: undefined,
      mcpServers: undefined,
      agents: undefined,
    },
  }),
  plain('an old CLI is spoken to as well', [say('Hello.')], { version: '2.0.73' }),
]);
