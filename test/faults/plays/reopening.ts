import { onRequest, onUser, type Scenario } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { outcomeInWords, settledAs } from '../seen.js';
import { type Play, rounds } from '../stage.js';

/** What can go wrong when a session is reopened. */
export const reopeningPlays: Readonly<Record<string, Play>> = {
  'the CLI dies and comes back': async (stage) => {
    const dies = onUser('go', [say('one'), die({ code: 1 })], { times: 'any' });
    const session = stage.startEach([dies], { reopen: 'auto' });
    stage.seen.open = await settledAs(session.ready, () => 'ready');
    stage.seen.turn = outcomeInWords(await session.send('go').outcome);
    await stage.next();
    stage.seen.starts = String(stage.starts);
  },
  'the CLI dies and never comes back': async (stage) => {
    const first = onRequest('initialize', [act((cli) => stage.starts > 1 && cli.exit({ code: 1 }))]);
    const scenario: Scenario = [first, onUser('go', [die({ code: 1 })])];
    const session = stage.startEach(scenario, { reopen: 'auto' });
    stage.seen.open = await settledAs(session.ready, () => 'ready');
    stage.seen.turn = outcomeInWords(await session.send('go').outcome);
    await stage.next();
    await rounds();
    stage.seen.starts = String(stage.starts);
  },
  'the session is closed while it is reopened': async (stage) => {
    const session = stage.startEach([onUser('go', [die({ code: 1 })])]);
    stage.seen.open = await settledAs(session.ready, () => 'ready');
    stage.seen.turn = outcomeInWords(await session.send('go').outcome);
    const reopening = session.reopen();
    stage.seen.close = await settledAs(session.close());
    stage.seen.reopen = await settledAs(reopening, () => 'ready');
  },
};
