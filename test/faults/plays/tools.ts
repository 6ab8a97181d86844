import { mcpServer } from '../../../src/host/mcp/mcp-server.js';
import { tool } from '../../../src/host/mcp/tool.js';
import type { SessionOptions } from '../../../src/host/session/session-options.js';
import { onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../../src/lab/testing/emulator/steps/asking-steps.js';
import { hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import { deferred } from '../../../src/wire/util/deferred.js';
import { outcomeInWords, settledAs } from '../seen.js';
import { type Play, rounds, type Stage } from '../stage.js';

interface Manner {
  readonly timeoutMs?: number;
  readonly after?: Step;
}

/** Opens a session with its own tool, and lets the model call it. */
async function withTool(stage: Stage, run: () => unknown, { timeoutMs, after = say('done') }: Manner = {}) {
  const called = deferred<AbortSignal>();
  const own = tool({
    name: 'own',
    description: 'does what the play says',
    run: (_input, { signal }) => {
      called.resolve(signal);
      return run();
    },
    timeoutMs,
  });
  const server = mcpServer('mine', [own], {}, { clock: stage.clock });
  const options: SessionOptions = { mcpServers: { mine: server } };
  let result = 'none';
  const session = await stage.open(
    [
      onUser('go', [
        mcpTool(
          'mine',
          'own',
          {},
          {
            expect: (answer) => {
              result = (answer as { isError?: unknown }).isError === true ? 'an error' : 'a result';
              return true;
            },
          },
        ),
        after,
      ]),
    ],
    options,
  );
  const turn = session.send('go');
  return { session, turn, signal: await called.promise, result: () => result };
}

const never = new Promise<never>(() => {});
const UNWRITABLE = { big: 1n };

/** Servers that cannot be connected, by the names that the table uses. */
const SERVERS: Readonly<Record<string, () => Promise<void>>> = {
  throws: () => {
    throw new Error('on purpose');
  },
  rejects: () => Promise.reject(new Error('on purpose')),
  'never returns': () => never,
};

/** What in-process tools can do. */
export const toolPlays: Readonly<Record<string, Play>> = {
  'a server cannot be connected': async (stage) => {
    const connect = SERVERS[stage.row.variant] ?? (() => never);
    const session = stage.start([], {
      mcpServers: { mine: { type: 'sdk', name: 'mine', instance: { connect } } },
    });
    // Old CLIs wait for their servers before they answer initialize, newer ones before the first turn.
    await rounds();
    if (stage.row.when === 'mcpSetupMs') stage.clock.advance(1_000);
    stage.seen.open = await settledAs(session.ready, () => 'ready');
    await stage.next();
  },
  'a tool fails': async (stage) => {
    const ways: Readonly<Record<string, () => unknown>> = {
      throws: () => {
        throw new Error('on purpose');
      },
      rejects: () => Promise.reject(new Error('on purpose')),
      'returns what cannot be serialised': () => UNWRITABLE,
    };
    const { turn, result } = await withTool(stage, ways[stage.row.variant] ?? (() => {}));
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.answer = result();
    await stage.next();
  },
  'a tool never returns, and its time is up': async (stage) => {
    const { turn, result, signal } = await withTool(stage, () => never, { timeoutMs: 1_000 });
    await stage.due(1_000, turn.outcome);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.answer = result();
    stage.seen.signal = signal.aborted ? 'aborted' : 'not aborted';
    await stage.next();
  },
  'a tool never returns, and the turn is interrupted': async (stage) => {
    const { session, turn, signal } = await withTool(stage, () => never);
    stage.seen.call = await settledAs(session.interrupt(), () => 'answered');
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.signal = signal.aborted ? 'aborted' : 'not aborted';
    await stage.next();
  },
  'a tool never returns, and the session ends': async (stage) => {
    const { session, turn, signal } = await withTool(stage, () => never, { after: hang() });
    if (stage.row.variant === 'killed') stage.cli.kill('SIGKILL');
    else await session.close();
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.signal = signal.aborted ? 'aborted' : 'not aborted';
  },
};
