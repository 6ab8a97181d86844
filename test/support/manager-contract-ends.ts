import { describe, expect, test } from 'vitest';
import { onRequest, onUser, type Scenario } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import type { RequestOptions } from '../../src/wire/peer/control-peer.js';
import { echo } from './manager.js';
import type { OpenForContract } from './manager-contract-types.js';

const always = { times: 'any' } as const;
const stuck: Scenario = [onUser(undefined, [say('…'), hang()], always)];

/** How turns and CLIs end. */
export function stopping(open: OpenForContract): void {
  describe('a turn can be stopped', () => {
    test.each([
      ['while it runs', 0, 'aborted'],
      ['while it waits', 1, 'aborted'],
    ] as const)('by its signal %s', async (_when, index, expected) => {
      const { manager } = await open({ scenarios: [stuck] });
      const talk = manager.conversation('one');
      const [first, second] = [new AbortController(), new AbortController()];
      const turns = [talk.send('a', { signal: first.signal }), talk.send('b', { signal: second.signal })];
      await turns[0]?.began;
      [first, second][index]?.abort('enough');
      expect(await turns[index]?.outcome).toMatchObject({ kind: expected, cause: 'enough' });
    });

    test('with a signal that is already aborted: nothing is sent', async () => {
      const { manager, clis } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      const turn = talk.send('x', { signal: AbortSignal.abort('no') });
      expect(await turn.outcome).toMatchObject({ kind: 'aborted', cause: 'no' });
      await talk.settled();
      expect([clis(), talk.facts.messages]).toEqual([0, 0]);
    });

    test('by its signal while the manager closes, with nothing left unhandled', async () => {
      const { manager } = await open({ scenarios: [stuck] });
      const controller = new AbortController();
      const turn = manager.conversation('one').send('a', { signal: controller.signal });
      await turn.began;
      controller.abort();
      await manager.close();
      expect((await turn.outcome).kind).toMatch(/^(aborted|closed)$/);
    });

    test('by the deadline or the signal of settled(), which leaves the turn alone', async () => {
      const { manager } = await open({ scenarios: [stuck] });
      const talk = manager.conversation('one');
      const turn = talk.send('a');
      await turn.began;
      await expect(talk.settled({ deadlineMs: 10 })).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT' });
      const aborted = talk.settled({ signal: AbortSignal.abort('enough') });
      await expect(aborted).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
      const settled = talk.settled({ deadlineMs: 20_000 });
      expect(await talk.interrupt()).toBe(true);
      await settled;
      expect((await turn.outcome).kind).toBe('interrupted');
    });

    test('as can every call that waits for a CLI: by its deadline or its signal', async () => {
      const { manager } = await open({ scenarios: [[onRequest('initialize', [hang()])]] });
      const talk = manager.conversation('one');
      const calls = (options: RequestOptions) => [
        talk.control('mcp_status', {}, options),
        talk.wake(options),
      ];
      const codes = async (options: RequestOptions) =>
        (await Promise.allSettled(calls(options))).map(
          (each) => each.status === 'rejected' && each.reason.code,
        );
      expect(await codes({ deadlineMs: 50 })).toEqual(['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT']);
      expect(await codes({ signal: AbortSignal.abort() })).toEqual(['REQUEST_ABORTED', 'REQUEST_ABORTED']);
    });

    test('with cancel() while it waits, and with interrupt() while it runs', async () => {
      const { manager } = await open({ scenarios: [stuck] });
      const talk = manager.conversation('one');
      const [running, waiting] = [talk.send('a'), talk.send('b')];
      await running.began;
      expect(await waiting.cancel()).toBe(true);
      expect((await waiting.outcome).kind).toBe('cancelled');
      expect(await running.cancel()).toBe(false);
      expect(await talk.interrupt()).toBe(true);
      expect((await running.outcome).kind).toBe('interrupted');
    });
  });
}
