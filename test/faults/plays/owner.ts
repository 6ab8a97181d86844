import { getEventListeners } from 'node:events';
import type { AnyPrompt } from '../../../src/host/session/prompts/open-prompts.js';
import type { Session } from '../../../src/host/session/session.js';
import { onRequest, onUser } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../src/lab/testing/emulator/steps/tool-steps.js';
import { outcomeInWords, readToTheEnd, settledAs } from '../seen.js';
import { type Play, rounds, type Stage } from '../stage.js';

/** How an owner ends a session, by the names that the table uses. */
const WAYS: Readonly<Record<string, (stage: Stage) => unknown>> = {
  'aborts its signal': (stage) => stage.owner.abort(),
  'closes it': (stage) => stage.session.close(),
  'closes it twice': (stage) => [stage.session.close(), stage.session.close()],
  'disposes of it': (stage) => stage.session[Symbol.asyncDispose](),
};

function ends(stage: Stage): void {
  WAYS[stage.row.variant]?.(stage);
}

/** Sends a message, ends the session at the given moment, and records the outcome of the turn. */
async function endsDuring(stage: Stage, session: Session, moment: Promise<unknown>): Promise<void> {
  const turn = session.send('go');
  const reader = readToTheEnd(turn);
  await moment;
  await rounds();
  ends(stage);
  stage.seen.turn = outcomeInWords(await turn.outcome);
  stage.seen.reader = await reader;
}

/** What an owner can do to its session, at any moment. */
export const ownerPlays: Readonly<Record<string, Play>> = {
  'the session is ended before it is started': async (stage) => {
    const session = stage.start([]);
    ends(stage);
    stage.seen.open = await settledAs(session.ready, () => 'ready');
  },
  'the session is ended in the handshake': async (stage) => {
    const session = stage.start([onRequest('initialize', [hang()])]);
    const turn = session.send('go');
    await rounds();
    ends(stage);
    stage.seen.open = await settledAs(session.ready, () => 'ready');
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'the session is ended when idle': async (stage) => {
    await stage.open([]);
    ends(stage);
  },
  'the session is ended while a call waits': async (stage) => {
    const session = await stage.open([onRequest('mcp_status', [hang()])]);
    const call = session.control('mcp_status');
    await rounds();
    ends(stage);
    await stage.call(call);
  },
  'the session is ended in a turn': async (stage) => {
    const session = await stage.open([onUser('go', [say('one'), hang()])]);
    await endsDuring(stage, session, Promise.resolve());
  },
  'the session is ended in a prompt': async (stage) => {
    let ask = (_prompt: AnyPrompt) => {};
    const asked = new Promise<AnyPrompt>((resolve) => {
      ask = resolve;
    });
    const session = await stage.open([onUser('go', [useTool('Bash', {}, { ask: true }), hang()])], {
      onPermission: (prompt) => {
        ask(prompt);
        return prompt.defer();
      },
    });
    await endsDuring(stage, session, asked);
    stage.seen.prompt = (await asked).state;
  },
  'the session is ended in a tool': async (stage) => {
    const session = await stage.open([onUser('go', [useTool('Bash', {}, { takesMs: 60_000 })])]);
    await endsDuring(stage, session, Promise.resolve());
  },
  'the session is ended while it is closing': async (stage) => {
    const session = await stage.open([onUser('go', [hang()])]);
    const turn = session.send('go');
    await turn.began;
    const closing = session.close();
    ends(stage);
    stage.seen.close = await settledAs(closing);
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'the session is ended in its own loop': async (stage) => {
    const session = await stage.open([onUser('go', [say('one'), hang()])]);
    const turn = session.send('go');
    stage.seen.reader = await readToTheEnd(turn, () => session.close());
    stage.seen.turn = outcomeInWords(await turn.outcome);
  },
  'the loop is left': async (stage) => {
    const session = await stage.open([
      onUser('go', [say('one'), useTool('Bash', {}, { result: 'ran' }), say('done')]),
    ]);
    const turn = session.send('go');
    let left = Number(stage.row.variant);
    stage.seen.reader = await settledAs(
      (async () => {
        for await (const _message of turn) {
          left -= 1;
          if (left === 0 && stage.argument === 'throw') throw new Error('mine');
          if (left === 0) break;
        }
      })(),
      () => 'left',
    );
    stage.seen.turn = outcomeInWords(await turn.outcome);
    await stage.next();
  },
  'the turn is interrupted': async (stage) => {
    const session = await stage.open(
      [
        onUser('go', [
          say('one'),
          useTool('Bash', {}, { ask: true, takesMs: 60_000, result: 'ran' }),
          hang(),
        ]),
      ],
      { onPermission: (prompt) => (stage.argument === 'prompt' ? prompt.defer() : prompt.allow()) },
    );
    const turn = session.send('go');
    if (stage.argument !== 'sent') await rounds();
    await stage.call(session.interrupt());
    stage.seen.turn = outcomeInWords(await turn.outcome);
    stage.seen.prompt = `${session.prompts.open.length} open`;
    await stage.next();
  },
  'the CLI is killed during a send': async (stage) => {
    const session = await stage.open([]);
    const turns = [session.send('one'), session.send('two')];
    stage.cli.kill('SIGKILL');
    const outcomes = await Promise.all(turns.map(({ outcome }) => outcome));
    stage.seen.turns = outcomes.map(outcomeInWords).join('; ');
  },
  'a call is aborted': async (stage) => {
    const caller = new AbortController();
    const session = await stage.open([onRequest('mcp_status', [hang()])]);
    if (stage.row.variant === 'before it is made') caller.abort();
    const call = session.control('mcp_status', {}, { signal: caller.signal });
    if (stage.row.variant === 'while it waits') await rounds();
    caller.abort();
    await stage.call(call);
    stage.seen.listeners = String(getEventListeners(caller.signal, 'abort').length);
    await stage.next();
  },
};
