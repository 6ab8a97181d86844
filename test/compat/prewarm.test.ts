import { differential } from './harness/differential.js';
import type { Options, Program, Prompt, RunningQuery, Sdk } from './harness/program.js';
import type { Stage } from './harness/stage.js';

interface SpareProcess extends AsyncDisposable {
  claim(params: { prompt: Prompt; options: Options }): RunningQuery;
  readonly claimed: Promise<{ readonly parkedMs?: number }>;
  readonly exited: Promise<void>;
  close(): void;
}

/** A CLI started in advance, and how it is used. */
function parked(
  name: string,
  use: (spare: SpareProcess, stage: Stage) => Promise<void>,
  more: Partial<Program> = {},
): Program {
  const run = async (sdk: Sdk, stage: Stage): Promise<void> => {
    const spare: SpareProcess = await sdk.prewarm({ options: stage.options() });
    stage.tell('parked', stage.launches.length);
    await use(spare, stage);
  };
  return { name, run, ...more };
}

/** Claims it, and reports what happens to the claim and the conversation. */
function claimedWith(name: string, options: (stage: Stage) => Options, more: Partial<Program> = {}): Program {
  return parked(
    name,
    async (spare, stage) => {
      const query = spare.claim({ prompt: 'Hi', options: options(stage) });
      await Promise.all([
        stage.outcome(
          'claimed',
          spare.claimed.then(({ parkedMs, ...info }) => ({ ...info, waited: typeof parkedMs === 'number' })),
        ),
        stage.outcome('read', stage.read(query)),
      ]);
      const { commands } = (await query.initializationResult()) as { commands: readonly unknown[] };
      stage.tell('commands', commands.length);
      await spare.exited;
    },
    more,
  );
}

differential([
  claimedWith('a prewarmed CLI gets its folder and a prompt', ({ folder }) => ({ cwd: folder })),
  claimedWith('a claim with all its options', ({ folder }) => ({
    cwd: folder,
    model: 'opus',
    permissionMode: 'plan',
    maxThinkingTokens: 100,
    settings: { effortLevel: 'high', model: 'sonnet' },
    appendSystemPrompt: 'Be short.',
    title: 'A title',
    agents: { helper: { description: 'Helps.', prompt: 'Help.' } },
    additionalDirectories: [folder],
    env: { CLAUDE_CODE_HOST_SESSION_ID: 'host' },
  })),
  claimedWith('a refused claim', ({ folder }) => ({ cwd: `${folder}/nowhere` })),
  claimedWith(
    'a claim with settings that are refused',
    ({ folder }) => ({
      cwd: folder,
      settings: { permissions: 'none' },
    }),
    { accepts: ['own-words'] },
  ),
  parked('a prewarmed CLI is claimed once', async (spare, stage) => {
    const claim = () => spare.claim({ prompt: 'Hi', options: { cwd: stage.folder } });
    await stage.read(claim());
    try {
      claim();
    } catch (error) {
      stage.tell('again failed', stage.thrown(error));
    }
  }),
  parked('a prewarmed CLI is released', async (spare, stage) => {
    spare.close();
    await stage.outcome('claimed', spare.claimed);
    await spare.exited;
    try {
      spare.claim({ prompt: 'Hi', options: { cwd: stage.folder } });
    } catch (error) {
      stage.tell('claim failed', stage.thrown(error));
    }
  }),
  {
    name: 'a CLI that cannot be prewarmed',
    version: '2.1.200',
    run: (sdk, stage) => stage.outcome('prewarm', sdk.prewarm({ options: stage.options() })),
  },
]);
