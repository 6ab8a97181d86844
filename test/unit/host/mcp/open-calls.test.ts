import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OpenCalls } from '../../../../src/host/mcp/open-calls.js';

describe('open calls', () => {
  test('return the answer with the id that the CLI used', async () => {
    const calls = new OpenCalls();
    const { id, answer } = calls.open('from the CLI');
    expect(calls.settle(id, { jsonrpc: '2.0', id, result: 1 })).toBe(true);
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 'from the CLI', result: 1 });
    expect(calls.size).toBe(0);
  });

  test('keep an id that is a text, which tools see, unless it is open already', () => {
    const calls = new OpenCalls();
    expect(calls.open('6666e71f:0').id).toBe('6666e71f:0');
    expect(calls.open('6666e71f:0').id).not.toBe('6666e71f:0');
    expect(calls.open(7).id).not.toBe(7);
  });

  test('settle once: later answers have no effect', async () => {
    const calls = new OpenCalls();
    const { id, answer } = calls.open(0);
    expect(calls.fail(id, -5, 'too late')).toBe(true);
    expect(calls.settle(id, { result: 1 })).toBe(false);
    expect(await answer).toEqual({ jsonrpc: '2.0', id: 0, error: { code: -5, message: 'too late' } });
  });

  test('distinguish an id from its text', () => {
    const calls = new OpenCalls();
    const { id } = calls.open(0);
    expect(calls.settle(String(id), { result: 1 })).toBe(false);
    expect(calls.size).toBe(1);
  });

  test('are found by the CLI’s id, the newest first', () => {
    const calls = new OpenCalls();
    calls.open(1);
    const { id } = calls.open(1);
    expect(calls.find(1)).toBe(id);
    expect(calls.find('1')).toBeUndefined();
  });

  test('are all answered at the end', async () => {
    const calls = new OpenCalls();
    const answers = [calls.open(1).answer, calls.open('1').answer];
    calls.failAll(-1, 'closed');
    expect((await Promise.all(answers)).map(({ id }) => id)).toEqual([1, '1']);
    expect(calls.size).toBe(0);
  });

  test('whatever ids the CLI repeats and in whatever order a server answers, each call gets its own answer', async () => {
    const wireId = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('0', '1', 'a'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ wireId, rank: fc.integer() }), { minLength: 1, maxLength: 30 }),
        async (requests) => {
          const calls = new OpenCalls();
          const open = requests.map((request, index) => ({
            ...request,
            index,
            ...calls.open(request.wireId),
          }));
          const answered = open.toSorted((one, other) => one.rank - other.rank);
          for (const { id, index } of answered) calls.settle(id, { id, result: index });
          const answers = await Promise.all(open.map(({ answer }) => answer));
          expect(answers).toEqual(requests.map((request, index) => ({ id: request.wireId, result: index })));
        },
      ),
    );
  });
});
