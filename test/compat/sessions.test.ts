import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { differential } from './harness/differential.js';
import type { Options, Program, Prompt, RunningQuery, Sdk } from './harness/program.js';
import { STOP, type Stage } from './harness/stage.js';

const UUID = '0b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';
const NOBODY = '1b0cbe0e-7d0a-4c1c-b4c6-0d3a3a3a3a3a';

/** One conversation, then another that continues it. */
function goesOn(name: string, options: Options): Program {
  return {
    name,
    scenarios: [[onUser([say('First.')])], [onUser([say('Second.')])]],
    run: async (sdk, stage) => {
      await stage.read(sdk.query({ prompt: 'one', options: stage.options({ sessionId: UUID }) }));
      await stage.read(sdk.query({ prompt: 'two', options: stage.options(options) }));
    },
  };
}

function warm(name: string, use: Program['run'], more: Partial<Program> = {}): Program {
  return { name, run: use, ...more };
}

interface WarmQuery extends AsyncDisposable {
  query(prompt: Prompt): RunningQuery;
  close(): void;
}

function startup(sdk: Sdk, stage: Stage, more: Options = {}): Promise<WarmQuery> {
  return sdk.startup({ options: stage.options(more) });
}

differential([
  goesOn('a conversation is resumed', { resume: UUID }),
  goesOn('a conversation is forked', { resume: UUID, forkSession: true }),
  goesOn('a conversation is forked under an id', { resume: UUID, forkSession: true, sessionId: NOBODY }),
  goesOn('the last conversation is continued', { continue: true }),
  goesOn('a conversation is resumed at a message', { resume: UUID, resumeSessionAt: NOBODY }),
  goesOn('a missing conversation is not resumed', { resume: NOBODY }),
  warm('a warm CLI accepts a prompt', async (sdk, stage) => {
    const spare = await startup(sdk, stage);
    stage.tell('warm', stage.launches.length);
    await stage.read(spare.query('Hi'));
  }),
  warm('a warm CLI accepts only one prompt', async (sdk, stage) => {
    const spare = await startup(sdk, stage);
    await stage.read(spare.query('Hi'));
    try {
      await stage.read(spare.query('again'));
    } catch (error) {
      stage.tell('again failed', stage.thrown(error));
    }
  }),
  warm('a warm CLI is released', async (sdk, stage) => {
    const spare = await startup(sdk, stage);
    spare.close();
    stage.tell('closed');
  }),
  warm('a warm CLI is disposed of', async (sdk, stage) => {
    const spare = await startup(sdk, stage);
    await stage.outcome('disposed', spare[Symbol.asyncDispose]());
  }),
  warm('a CLI that cannot be warmed', async (sdk, stage) => {
    await stage.outcome('startup', startup(sdk, stage, { resume: NOBODY }));
  }),
  warm(
    'the answer to a warm prompt can be left',
    async (sdk, stage) => {
      const spare = await startup(sdk, stage);
      await stage.read(spare.query('Hi'), ({ type }) => type === 'result' && STOP);
    },
    { scenarios: [[onUser([done('Hello.')])]] },
  ),
]);
