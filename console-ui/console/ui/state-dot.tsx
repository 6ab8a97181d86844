import type { ConsoleState } from '../../../src/entry/remote/contract.js';

const WORDS: Readonly<Record<ConsoleState, string>> = {
  waiting: 'waiting for a slot',
  starting: 'starting',
  idle: 'idle',
  running: 'running',
  'needs-you': 'needs you',
  limited: 'waiting for a usage limit',
  deferred: 'waiting for an answer',
  parked: 'parked',
  ended: 'ended',
};

/** A session's state as a dot and, optionally, a word. */
export function StateDot({ state, bare = false }: { state: ConsoleState; bare?: boolean }) {
  const word = WORDS[state] ?? state;
  return (
    <span className="state" data-state={state}>
      <span className="dot" aria-hidden="true" />
      <span className={bare ? 'hidden' : 'word'}>{word}</span>
    </span>
  );
}
