import { onTestFinished, vi } from 'vitest';
import { onRequest, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { refuse } from '../../../src/lab/testing/emulator/steps/answer-steps.js';
import { act, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../../src/wire/util/deferred.js';
import { outcomeInWords, settledAs } from '../seen.js';
import { type Play, rounds } from '../stage.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const STALL_MS = 1_000;

/** What time can do to a session, and a CLI that lets it pass. */
export const clockPlays: Readonly<Record<string, Play>> = {
  'a day passes in the handshake': async (stage) => {
    const session = stage.start([onRequest('initialize', [hang()])]);
    await rounds();
    stage.clock.advance(DAY_MS);
    stage.seen.open = await settledAs(session.ready, () => 'ready');
  },
  'a day passes when idle': async (stage) => {
    await stage.open([]);
    stage.clock.advance(DAY_MS);
    await stage.next();
  },
  'a day passes while a call waits': async (stage) => {
    const session = await stage.open([onRequest('mcp_status', [hang()])]);
    const call = session.control('mcp_status');
    await rounds();
    stage.clock.advance(DAY_MS);
    await stage.call(call);
    await stage.next();
  },
  'a day passes in a turn': async (stage) => {
    const night = deferred<void>();
    const session = await stage.open([onUser('go', [say('one'), act(() => night.promise), say('done')])]);
    const turn = session.send('go');
    await rounds();
    stage.clock.advance(DAY_MS);
    night.resolve();
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'a day passes in a prompt': async (stage) => {
    const session = await stage.open(
      [onUser('go', [useTool('Bash', {}, { ask: true, result: 'ran' }), say('done')])],
      { prompts: 'manual', stallMs: STALL_MS },
    );
    const turn = session.send('go');
    await rounds();
    stage.clock.advance(DAY_MS);
    await rounds();
    stage.seen.prompt = session.prompts.open[0]?.state ?? 'none';
    const [prompt] = session.prompts.open;
    if (prompt?.kind === 'permission') prompt.allow();
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'the date is set back in a turn': async (stage) => {
    const night = deferred<void>();
    const session = await stage.open([onUser('go', [say('one'), act(() => night.promise), say('done')])]);
    const turn = session.send('go');
    await rounds();
    vi.setSystemTime(0);
    onTestFinished(() => void vi.useRealTimers());
    night.resolve();
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'a turn stalls': async (stage) => {
    const session = await stage.open([onUser('go', [say('one'), hang()])]);
    const turn = session.send('go');
    await stage.due(STALL_MS, turn.outcome);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'a turn stalls, and an interrupt does not help': async (stage) => {
    const session = await stage.open([
      onUser('go', [say('one'), hang()]),
      onRequest('interrupt', [refuse('deaf')], { times: 'any' }),
    ]);
    const turn = session.send('go');
    const waiting = session.control('mcp_status', {}, { deadlineMs: DAY_MS }).then(() => turn.outcome);
    await stage.due(STALL_MS, waiting);
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await rounds();
    stage.seen.call = await settledAs(session.control('mcp_status'), () => 'answered');
  },
};
