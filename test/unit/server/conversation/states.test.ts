import { describe, expect, test } from 'vitest';
import type { PromptView } from '../../../../src/entry/remote/contract.js';
import {
  type CliState,
  type ConversationState,
  cliSteps,
  consoleStateOf,
  consoleStates,
  conversationStateOf,
  hasCli,
  isSettled,
  isWithoutCli,
  nextCliState,
  ownedStateOf,
  type Prospect,
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

const nothing: Prospect = {
  isComing: false,
  ahead: undefined,
  hasMessages: false,
  mayContinue: () => false,
};

describe('the state of a conversation for its owner', () => {
  const cases: readonly [string, ConversationState, Partial<Prospect>, ReturnType<typeof ownedStateOf>][] = [
    ['that was asked for a CLI is starting', 'parked', { isComing: true }, 'starting'],
    ['that needs a CLI gets a slot at once', 'queued', {}, 'starting'],
    ['that waits for a slot is queued', 'queued', { ahead: 0 }, 'queued'],
    ['that is asked for a CLI without a slot is queued', 'parked', { isComing: true, ahead: 2 }, 'queued'],
    ['with a CLI is running', 'running', { mayContinue: () => true }, 'running'],
    ['that waits for a limit keeps waiting', 'limited', { hasMessages: true }, 'limited'],
    ['with a failed CLI has failed', 'failed', { hasMessages: true }, 'failed'],
    ['with messages for the next CLI is queued', 'parked', { hasMessages: true }, 'queued'],
    ['that may continue is parked', 'parked', { mayContinue: () => true }, 'parked'],
    ['that nothing continues has ended', 'parked', {}, 'ended'],
  ];

  test.each(cases)('one %s', (_name, state, known, expected) => {
    expect(ownedStateOf(state, { ...nothing, ...known })).toBe(expected);
  });
});

describe('the steps of a CLI', () => {
  test('a CLI that is ending does not become ready', () => {
    expect(nextCliState('ending', 'connected')).toBe('ending');
    expect(nextCliState('none', 'gone')).toBe('none');
  });

  test('a CLI that is gone is not over before what it had is settled', () => {
    expect(nextCliState('running', 'settled')).toBe('running');
    expect(nextCliState('running', 'gone')).toBe('settling');
    expect(nextCliState('settling', 'asked')).toBe('settling');
  });

  test('every state can be left, and leads back to none', () => {
    for (const state of Object.keys(cliSteps).filter(isCliState))
      expect(nextCliState(nextCliState(state, 'gone'), 'settled'), state).toBe('none');
  });
});

function isCliState(state: string): state is CliState {
  return Object.hasOwn(cliSteps, state);
}
