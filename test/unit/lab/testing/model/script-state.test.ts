import { describe, expect, test } from 'vitest';
import { text } from '../../../../../src/lab/testing/model/replies.js';
import { toStep } from '../../../../../src/lab/testing/model/script.js';
import { ScriptState } from '../../../../../src/lab/testing/model/script-state.js';
import { mainBody, modelRequest } from '../../../../support/model-requests.js';

const ask = (said: string) => modelRequest(mainBody(said));
const reply = text('ok');

describe('ScriptState', () => {
  test('uses steps in order', () => {
    const state = new ScriptState([{ when: 'a', reply }, toStep(reply), { when: 'c', reply }]);
    expect(state.take(ask('c'))).toBeUndefined();
    expect(['a', 'b', 'c'].map((said) => state.take(ask(said))?.number)).toEqual([1, 2, 3]);
    expect(state.take(ask('c'))).toBeUndefined();
  });

  test('lets a step answer as many requests as it says', () => {
    const state = new ScriptState([{ when: 'a', reply, times: 2 }, { reply }]);
    expect(['a', 'a', 'a'].map((said) => state.take(ask(said))?.number)).toEqual([1, 1, 2]);
  });

  test('a step for any number of requests may be unused, and is over once a later one was used', () => {
    const state = new ScriptState([
      { when: 'noise', reply, times: 'any' },
      { when: 'a', reply },
      { when: 'b', reply },
    ]);
    const taken = ['noise', 'noise', 'a', 'noise', 'b'].map((said) => state.take(ask(said))?.number);
    expect(taken).toEqual([1, 1, 2, undefined, 3]);
  });

  test('a step for any number of requests is never left over', () => {
    expect(new ScriptState([{ reply, times: 'any' }]).leftover).toEqual([]);
  });

  test('a step with anyOrder matches before, between or after the others, and before a step for any request', () => {
    const script = [{ reply }, { when: 'sub', reply, anyOrder: true }, { reply }];
    for (const order of [
      ['sub', 'x', 'y'],
      ['x', 'sub', 'y'],
      ['x', 'y', 'sub'],
    ]) {
      const state = new ScriptState(script);
      const taken = order.map((said) => state.take(ask(said))?.number);
      expect(taken).toEqual(order.map((said) => ({ sub: 2, x: 1, y: 3 })[said]));
      expect(state.leftover).toEqual([]);
    }
  });

  test('knows which steps are left over', () => {
    const state = new ScriptState([{ reply, times: 2 }, { reply }]);
    state.take(ask('a'));
    expect(state.leftover.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('expects a request only if the next step names it', () => {
    const state = new ScriptState([{ when: 'a', reply }, { reply }]);
    expect([state.awaits(ask('a')), state.awaits(ask('b'))]).toEqual([true, false]);
    state.take(ask('a'));
    expect(state.awaits(ask('a'))).toBe(false);
  });
});
