import { onRequest } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { refuse } from '../../../src/lab/testing/emulator/steps/answer-steps.js';
import { halfLine } from '../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import { outcomeInWords, settledAs } from '../seen.js';
import type { Play, Stage } from '../stage.js';

/** Opens on a CLI that plays these steps instead of its answer; a turn and a call wait for it. */
async function opens(stage: Stage, steps: readonly Step[], deadlineMs?: number): Promise<void> {
  const session = stage.start([onRequest('initialize', steps)]);
  const turn = session.send('go');
  const call = stage.call();
  if (deadlineMs !== undefined) await stage.due(deadlineMs, session.ready);
  stage.seen.open = await settledAs(session.ready, () => 'ready');
  stage.seen.turn = outcomeInWords(await turn.outcome);
  await call;
}

const brokenAnswer = act((cli, { request }) =>
  cli.write(`{"type":"control_response","response":{"subtype":"maybe","request_id":"${request?.id}"}}\n`),
);

/** What can go wrong with `initialize`. */
export const handshakePlays: Readonly<Record<string, Play>> = {
  'initialize is never answered': (stage) => opens(stage, [hang()], 500),
  'initialize is half answered': (stage) => opens(stage, [halfLine('{"type":"control_resp'), hang()], 500),
  'initialize is refused': (stage) => opens(stage, [refuse('not today')]),
  'initialize is answered with nonsense': (stage) => opens(stage, [brokenAnswer, hang()]),
};
