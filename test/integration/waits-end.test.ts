import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { query } from '../../src/entry/compat/query/query.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Session } from '../../src/host/session/session.js';
import type { Turn } from '../../src/host/session/turns/turn.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { onUser, unasked } from '../../src/lab/testing/emulator/scenario/scenario.js';
import { hang } from '../../src/lab/testing/emulator/steps/life-steps.js';
import { say } from '../../src/lab/testing/emulator/steps/speech-steps.js';
import { EMULATED_CLI } from '../support/cox-process.js';

/** Every iterable of a session. */
const streams: Record<string, (session: Session, turn: Turn) => AsyncIterable<unknown>> = {
  turn: (_session, turn) => turn,
  'textDeltas()': (_session, turn) => turn.textDeltas(),
  'messages()': (session) => session.messages(),
  'messages({ partial: true })': (session) => session.messages({ partial: true }),
  unasked: (session) => session.unasked,
};

/** What a program does with a stream, one action after another. */
const acts = fc.array(fc.constantFrom('read', 'read twice', 'pause', 'second reader'), { maxLength: 6 });
/** How it ends. */
const ends = fc.constantFrom('return', 'break', 'throw', 'abort', 'close', 'kill');

type End = typeof ends extends fc.Arbitrary<infer T> ? T : never;

/** Settles when all have, or reports one that never did. */
async function allSettled(reads: readonly Promise<unknown>[]): Promise<string> {
  let callOff: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    callOff = setTimeout(() => done('a read waits forever'), 20_000);
  });
  const settled = Promise.allSettled(reads).then(() => 'all reads have ended');
  const seen = await Promise.race([settled, late]);
  clearTimeout(callOff);
  return seen;
}

/** Keeps reading until told to leave, as a loop does. */
async function loop(stream: AsyncIterable<unknown>, how: 'break' | 'throw'): Promise<void> {
  for await (const _value of stream) {
    if (how === 'break') return;
    throw new Error('left by a throw');
  }
}

class Program {
  readonly reads: Promise<unknown>[] = [];
  readonly owner = new AbortController();
  readonly cli = emulateCli([onUser([say('one two three'), hang()]), unasked([say('more'), hang()])], {
    partialMessages: true,
    closeWaitMs: 1,
  });
  readonly #iterators: AsyncIterator<unknown>[] = [];

  async run(name: string, plan: readonly string[], end: End): Promise<string> {
    const session = await openSession({ transport: this.cli.transport, signal: this.owner.signal });
    const turn = session.send('go');
    const stream = streams[name]?.(session, turn) ?? turn;
    const iterator = stream[Symbol.asyncIterator]();
    this.#iterators.push(iterator);
    for (const act of plan) await this.#act(act, stream, iterator);
    this.#read(iterator);
    await this.#end(end, session, stream);
    const seen = await allSettled(this.reads);
    await session.close();
    return seen;
  }

  async #act(act: string, stream: AsyncIterable<unknown>, iterator: AsyncIterator<unknown>): Promise<void> {
    if (act === 'pause') await new Promise((done) => setImmediate(done));
    if (act === 'read' || act === 'read twice') this.#read(iterator);
    if (act === 'read twice') this.#read(iterator);
    if (act !== 'second reader') return;
    const second = stream[Symbol.asyncIterator]();
    this.#iterators.push(second);
    this.#read(second);
  }

  #read(iterator: AsyncIterator<unknown>): void {
    const read = iterator.next();
    read.catch(() => {});
    this.reads.push(read);
  }

  async #end(end: End, session: Session, stream: AsyncIterable<unknown>): Promise<void> {
    if (end === 'abort') this.owner.abort();
    if (end === 'close') await session.close();
    if (end === 'kill') this.cli.kill('SIGKILL');
    if (end === 'return') for (const each of this.#iterators) await each.return?.();
    if (end !== 'break' && end !== 'throw') return;
    const left = loop(stream, end);
    left.catch(() => {});
    this.reads.push(left);
    for (const each of this.#iterators) await each.return?.();
    await session.close();
  }
}

describe('every wait ends', () => {
  test.each(Object.keys(streams))(
    'of a reader of %s, whatever happens and when',
    async (name) => {
      await fc.assert(
        fc.asyncProperty(acts, ends, async (plan, end) => {
          expect(await new Program().run(name, plan, end)).toBe('all reads have ended');
        }),
        {
          numRuns: 60,
          interruptAfterTimeLimit: 25_000,
          markInterruptAsFailure: true,
          examples: [
            [['second reader'], 'close'],
            [[], 'return'],
          ],
        },
      );
    },
    60_000,
  );

  test('an ended session has no more unasked turns', async () => {
    const session = await openSession({ transport: emulateCli([]).transport });
    await session.close();
    expect(await allSettled([loop(session.unasked, 'break')])).toBe('all reads have ended');
  });

  test.each(['return', 'close'] as const)('of a reader of a query, by %s', async (how) => {
    async function* silence() {
      await new Promise(() => {});
      yield {
        type: 'user' as const,
        message: { role: 'user' as const, content: '' },
        parent_tool_use_id: null,
      };
    }
    const running = query({
      prompt: silence(),
      options: { pathToClaudeCodeExecutable: resolve(EMULATED_CLI) },
    });
    const read = running.next();
    read.catch(() => {});
    if (how === 'return') await running.return();
    else running.close();
    expect(await allSettled([read])).toBe('all reads have ended');
    await running[Symbol.asyncDispose]();
  });
});
