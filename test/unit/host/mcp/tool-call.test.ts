import { describe, expect, test } from 'vitest';
import { type Tool, type ToolContext, tool } from '../../../../src/host/mcp/tool.js';
import { callTool } from '../../../../src/host/mcp/tool-call.js';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';
import { ManualClock } from '../../../support/manual-clock.js';

function calling(
  run: Tool['run'],
  { timeoutMs, cancellation = new Cancellation() }: { timeoutMs?: number; cancellation?: Cancellation } = {},
) {
  const clock = new ManualClock();
  const failures: unknown[] = [];
  const progress: unknown[] = [];
  const context: Omit<ToolContext, 'signal'> = {
    progress: (done) => progress.push(done),
    session: { id: 's' },
    toolUseId: 't',
  };
  const made = tool({ name: 'work', description: 'd', run });
  const onFailure = (error: unknown) => failures.push(error);
  const result = callTool(made, { a: 1 }, { cancellation, context, timeoutMs, clock, onFailure });
  return { clock, failures, progress, result };
}

describe('calling a tool', () => {
  test('passes input and context to the tool, and returns its value as a result', async () => {
    const { clock, failures, progress, result } = calling((input, context) => {
      context.progress(1);
      return { input, session: context.session?.id, toolUseId: context.toolUseId };
    });
    expect(await result).toEqual({
      content: [{ type: 'text', text: '{"input":{"a":1},"session":"s","toolUseId":"t"}' }],
    });
    expect(progress).toEqual([1]);
    expect(failures).toEqual([]);
    expect(clock.size).toBe(0);
  });

  test('provides a context whose copy can still report progress', async () => {
    const { progress, result } = calling((_input, context) => {
      const { signal, ...rest } = context;
      ({ ...rest }).progress(1);
      return signal.aborted;
    });
    expect(await result).toEqual({ content: [{ type: 'text', text: 'false' }] });
    expect(progress).toEqual([1]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('out of paper');
      },
      'out of paper',
    ],
    ['rejects with a text', () => Promise.reject('no ink'), 'no ink'],
    ['returns a BigInt', () => 1n, 'Do not know how to serialize a BigInt'],
    ['returns a function', () => () => 1, 'it returned a function, which is not a JSON value'],
  ] satisfies [string, Tool['run'], string][])(
    'that %s returns an error result and reports it',
    async (_how, run, text) => {
      const { failures, result } = calling(run);
      expect(await result).toEqual({ content: [{ type: 'text', text }], isError: true });
      expect(failures).toHaveLength(1);
    },
  );

  test('times out: the signal is aborted, and a later result is dropped', async () => {
    let finish = (_value: string) => {};
    let signal: AbortSignal | undefined;
    let tellMore = () => {};
    const { clock, failures, progress, result } = calling(
      (_input, context) => {
        signal = context.signal;
        tellMore = () => context.progress(9);
        return new Promise<string>((resolve) => {
          finish = resolve;
        });
      },
      { timeoutMs: 100 },
    );
    clock.advance(100);
    const text = 'Tool "work" did not finish within 100 ms.';
    expect(await result).toEqual({ content: [{ type: 'text', text }], isError: true });
    expect(signal?.reason).toMatchObject({ code: 'TOOL_TIMEOUT' });
    expect(failures).toMatchObject([{ code: 'TOOL_TIMEOUT' }]);
    finish('too late');
    tellMore();
    expect(progress).toEqual([]);
  });

  test('without a time limit waits half an hour, and longer', async () => {
    let finish = (_value: string) => {};
    const waiting = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { clock, result } = calling(() => waiting);
    clock.advance(30 * 60_000);
    finish('at last');
    expect(await result).toEqual({ content: [{ type: 'text', text: 'at last' }] });
  });

  test('that is interrupted aborts the signal and is not a failure', async () => {
    const interruption = new Cancellation();
    const { failures, result } = calling(
      (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { cancellation: interruption },
    );
    interruption.cancel(new Error('interrupted'));
    expect(await result).toMatchObject({ isError: true });
    expect(failures).toEqual([]);
  });
});
