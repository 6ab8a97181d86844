import { describe, expect, test } from 'vitest';
import { onUser } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { done } from '../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { deferred } from '../../src/wire/util/deferred.js';
import { echo } from './manager.js';
import { stopping } from './manager-contract-ends.js';
import type { OpenForContract } from './manager-contract-types.js';
import { prompts, useOfManager } from './manager-contract-use.js';

const always = { times: 'any' } as const;

async function collect<T>(source: AsyncIterable<T>, into: T[] = []): Promise<T[]> {
  for await (const each of source) into.push(each);
  return into;
}

/**
 * Tests of what every manager does as an object of this process, wherever its CLIs run: turns, readers, signals. What
 * conversations promise, whatever the way to them, is in `contract/conversation-contract.ts`.
 */
export function managerContract(open: OpenForContract): void {
  talking(open);
  reading(open);
  stopping(open);
  prompts(open);
  useOfManager(open);
}

function talking(open: OpenForContract): void {
  describe('a conversation', () => {
    test('answers, is parked, and continues with another CLI', async () => {
      const { manager, clis } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      expect(talk.state).toBe('parked');
      expect(await talk.send('first').text()).toBe('echo: first');
      await expect.poll(() => talk.state).toBe('running');
      await talk.park();
      await expect.poll(() => talk.state).toBe('parked');
      expect([talk.pid, talk.info]).toEqual([undefined, undefined]);
      expect(await talk.send('second').text()).toBe('echo: second');
      expect(clis()).toBe(2);
      await expect.poll(() => manager.counters.running).toBe(1);
    });

    test('sends one message after the other, and reports each outcome', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      const turns = ['a', 'b', 'c'].map((text) => talk.send(text));
      expect(await Promise.all(turns.map((turn) => turn.text()))).toEqual(['echo: a', 'echo: b', 'echo: c']);
      await expect.poll(() => talk.facts.messages).toBe(0);
    });

    test('can be streamed before its CLI runs', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const pieces = await collect(manager.conversation('one').send('x').textDeltas());
      expect(pieces.map(({ text }) => text).join('')).toBe('echo: x');
    });

    test('passes on messages that join while a turn runs; others wait', async () => {
      const gate = deferred<void>();
      const long = onUser('long', [say('…'), act(() => gate.promise), say('long is done'), done()]);
      const { manager } = await open({ scenarios: [[long, ...echo]] });
      const talk = manager.conversation('one');
      const running = talk.send('long', { whileBusy: 'join' });
      const joins = talk.send('joins', { whileBusy: 'join' });
      const waits = talk.send('waits');
      const behind = talk.send('joins too late', { whileBusy: 'join' });
      await expect.poll(() => joins.receipt).toBe('queued');
      expect([waits.receipt, behind.receipt]).toEqual(['held', 'held']);
      gate.resolve();
      expect(await Promise.all([running, joins, waits, behind].map((turn) => turn.text()))).toEqual([
        'long is done',
        'echo: joins',
        'echo: waits',
        'echo: joins too late',
      ]);
    });

    test('refuses an unsettled message a second time', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      const uuid = 'b2c6a1de-6c0f-4f0e-9d5c-0d2f4c1f7a11';
      const turn = talk.send('x', { uuid });
      expect(turn.userMessageId).toBe(uuid);
      expect(() => talk.send('x', { uuid })).toThrow(expect.objectContaining({ code: 'MESSAGE_INVALID' }));
      expect(await turn.text()).toBe('echo: x');
    });

    test('has a session for everything else', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      const session = await talk.wake();
      expect(session.state).toBe('ready');
      expect(await talk.control('mcp_status')).toHaveProperty('mcpServers');
      await talk.setPermissionMode('plan');
      expect(await talk.send('x').text()).toBe('echo: x');
    });
  });
}

function reading(open: OpenForContract): void {
  describe('the reader of a turn', () => {
    test('gets the output of the second CLI if the first one died', async () => {
      const dies = [onUser(undefined, [die({ code: 1 })], always)];
      const { manager } = await open({ scenarios: [dies, echo] });
      const turn = manager.conversation('one').send('x');
      const messages = await collect(turn);
      expect(messages.at(-1)?.type).toBe('result');
      expect(turn.dropped).toBe(0);
    });

    test('gets an error when the CLI ended, after its output', async () => {
      const dies = [onUser(undefined, [say('half'), die({ code: 1 })], always)];
      const { manager } = await open({ scenarios: [dies] });
      const turn = manager.conversation('one').send('x');
      const seen: { readonly text: string }[] = [];
      await expect(collect(turn.textDeltas(), seen as never[])).rejects.toMatchObject({ code: 'CLI_ENDED' });
      expect(seen.map(({ text }) => text).join('')).toBe('half');
    });

    test('is the only reader of the turn', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const turn = manager.conversation('one').send('x');
      await collect(turn);
      await expect(collect(turn)).rejects.toMatchObject({ code: 'READER_TAKEN' });
    });

    test('that comes late gets what was buffered for it', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const turn = manager.conversation('one').send('x');
      await turn.outcome;
      expect((await collect(turn)).map(({ type }) => type)).toContain('assistant');
    });
  });

  describe('a reader of a conversation', () => {
    test('gets all messages, across several CLIs', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const talk = manager.conversation('one');
      const seen: { readonly type?: unknown }[] = [];
      const reading = collect(talk.messages(), seen as never[]);
      await talk.send('a').outcome;
      await talk.park();
      await talk.send('b').outcome;
      await manager.close();
      await reading;
      expect(seen.filter(({ type }) => type === 'result')).toHaveLength(2);
    });

    test('gets no events of other conversations', async () => {
      const { manager } = await open({ scenarios: [echo] });
      const [one, two] = [manager.conversation('one'), manager.conversation('two')];
      const told: string[] = [];
      one.on('turn', ({ conversation }) => told.push(conversation));
      await Promise.all([one.send('a').outcome, two.send('b').outcome]);
      expect(told).toEqual(['one']);
    });
  });
}
