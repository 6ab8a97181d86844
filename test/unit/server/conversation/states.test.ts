import { describe, expect, test } from 'vitest';
import type { PromptView } from '../../../../src/entry/remote/contract.js';
import {
  type ConversationState,
  cliSteps,
  consoleStateOf,
  consoleStates,
  conversationStateOf,
  hasCli,
  isSettled,
  isWithoutCli,
  nextCliState,
} from '../../../../src/server/conversation/states.js';

const quiet = { asks: false, isBusy: false };
const budget: PromptView = {
  id: 'b',
  kind: 'budget',
  at: 0,
  headline: 'Spent',
  scope: 'conversation',
  limitUsd: 1,
  spentUsd: 2,
};

describe('the states of a conversation', () => {
  const states: readonly ConversationState[] = [
    ...(['parked', 'queued', 'starting', 'running', 'limited'] as const),
    ...(['paused', 'deferred', 'failed'] as const),
  ];

  test.each(states)('%s is still known from what a console shows', (state) => {
    const shown = {
      state: consoleStateOf(state, quiet),
      prompts: state === 'paused' ? [budget] : [],
      failed: state === 'failed',
    };
    expect(conversationStateOf(shown)).toBe(state);
  });

  test('say what a CLI does while there is one', () => {
    expect(consoleStateOf('running', quiet)).toBe('idle');
    expect(consoleStateOf('running', { asks: false, isBusy: true })).toBe('running');
    expect(consoleStateOf('running', { asks: true, isBusy: true })).toBe('needs-you');
    expect(consoleStateOf('limited', { asks: true, isBusy: true })).toBe('limited');
  });

  test('that a newer version shows count as states with a CLI', () => {
    const newer = { state: 'dreaming' as never, prompts: [], failed: false };
    expect(conversationStateOf(newer)).toBe('running');
  });

  test('of a console are settled, working or without a CLI', () => {
    const of = (holds: (state: never) => boolean) => consoleStates.filter((state) => holds(state as never));
    expect(of(isSettled)).toEqual(['idle', 'needs-you', 'deferred', 'parked', 'ended']);
    expect(of(hasCli)).toEqual(['starting', 'idle', 'running', 'needs-you']);
    expect(of(isWithoutCli)).toEqual(['parked', 'ended']);
  });
});

describe('the steps of a CLI', () => {
  test('a CLI that is ending does not become ready', () => {
    expect(nextCliState('ending', 'connected')).toBe('ending');
    expect(nextCliState('none', 'gone')).toBe('none');
  });

  test('every state can be left, and leads back to none', () => {
    for (const [state, steps] of Object.entries(cliSteps)) {
      expect(Object.keys(steps), state).not.toEqual([]);
      if (state !== 'none') expect(steps.gone).toBe('none');
    }
  });
});
