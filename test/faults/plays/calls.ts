import { onRequest, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { answer, refuse } from '../../../src/lab/testing/emulator/steps/answer-steps.js';
import { deaf } from '../../../src/lab/testing/emulator/steps/fault-steps.js';
import { act, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import type { Step } from '../../../src/lab/testing/emulator/steps/step-types.js';
import { outcomeInWords } from '../seen.js';
import { type Play, rounds, type Stage } from '../stage.js';

const DEADLINE_MS = 1_000;

async function calls(stage: Stage, steps: readonly Step[], deadlineMs?: number): Promise<void> {
  const session = await stage.open([onRequest('mcp_status', steps)]);
  const call = session.control('mcp_status');
  if (deadlineMs !== undefined) await stage.due(deadlineMs, call);
  await stage.call(call);
  await stage.next();
  await rounds();
}

const answered = (body: object) =>
  act((cli, { request }) =>
    cli.write(
      `${JSON.stringify({ type: 'control_response', response: { ...body, request_id: request?.id } })}\n`,
    ),
  );

/** What can go wrong with the answer to a call. */
export const callPlays: Readonly<Record<string, Play>> = {
  'a call is never answered': (stage) => calls(stage, [hang()], DEADLINE_MS),
  'a call is answered twice': (stage) => calls(stage, [answered({ subtype: 'success' }), answer({})]),
  'a call is refused': (stage) => calls(stage, [refuse('no')]),
  'a call is answered with nonsense': (stage) => calls(stage, [answered({ subtype: 'maybe' }), hang()]),
  'a call is answered after its deadline': async (stage) => {
    let late = () => {};
    const waits = new Promise<void>((resolve) => {
      late = resolve;
    });
    const session = await stage.open([onRequest('mcp_status', [act(() => waits), answer({})])]);
    const call = session.control('mcp_status');
    await stage.due(DEADLINE_MS, call);
    await stage.call(call);
    late();
    await rounds();
    await stage.next();
  },
  'the CLI stops reading': async (stage) => {
    const session = await stage.open([onUser('go', [deaf(), hang()])]);
    const turn = session.send('go');
    await turn.began;
    const call = session.control('mcp_status');
    await stage.due(DEADLINE_MS, call);
    await stage.call(call);
    await session.close();
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'an interrupt is never answered': async (stage) => {
    const session = await stage.open([onUser('go', [hang()]), onRequest('interrupt', [hang()])]);
    const turn = session.send('go');
    await turn.began;
    const interrupt = session.interrupt();
    await stage.due(DEADLINE_MS, interrupt);
    await stage.call(interrupt);
    await session.close();
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'a hundred calls wait when the CLI dies': async (stage) => {
    const session = await stage.open([onRequest('mcp_status', [hang()], { times: 'any' })]);
    const waiting = Array.from({ length: 100 }, () =>
      session.control('mcp_status').catch((error: unknown) => error),
    );
    await rounds();
    stage.cli.kill('SIGKILL');
    const errors = new Set(await Promise.all(waiting));
    stage.seen.calls = `100 rejected, ${errors.size} cause`;
    await stage.call(Promise.reject([...errors][0]));
  },
};
