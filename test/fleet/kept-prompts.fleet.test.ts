import { expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../src/lab/testing/emulator/steps/tool-steps.js';
import { emulatedFleetManager, startEmulatingWorker } from '../support/fleet-manager.js';
import { withNats } from '../support/nats/with-nats.js';

const asks = [
  useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }),
  say('ran it'),
  done('ran it'),
];
const always = { times: 'any' } as const;

withNats('a prompt on a fleet', () => {
  test('stays open while its workers are drained, one after the other, and is answered by its id', async () => {
    const first = await emulatedFleetManager({ scenarios: [[onUser(undefined, asks, always)]] });
    const { manager, nats } = first;
    const talk = manager.conversation('one');
    const turn = talk.send('go', { resend: false });
    await expect.poll(() => talk.prompts.open.length).toBe(1);
    const [asked] = talk.prompts.open;
    const drain = async (from: typeof first.worker) => {
      const repeats = [onUser(/now allowed/, asks, always)];
      const next = await startEmulatingWorker({ scenarios: [repeats] }, { nats: nats.url });
      await from.drain(0);
      return next;
    };
    const second = await drain(first.worker);
    expect(await turn.outcome).toMatchObject({ kind: 'cli-ended' });
    await expect.poll(() => talk.prompts.open.map(({ id }) => id)).toEqual([asked?.id]);
    // Nobody asks for it: it has no worker until it is answered.
    const third = await drain(second.worker);
    expect(second.launches).toHaveLength(0);
    const [kept] = talk.prompts.open;
    expect(kept).toMatchObject({ id: asked?.id, tool: 'Bash', input: { command: 'ls' } });
    if (kept?.kind === 'permission') kept.allow();
    const said: string[] = [];
    for await (const message of talk.messages()) {
      said.push(message.type);
      if (message.type === 'result') break;
    }
    expect(said).toContain('assistant');
    expect(talk.prompts.open).toEqual([]);
    expect(third.launches).toHaveLength(1);
  });
});
