/** The state of a session. */
export type SessionState = 'starting' | 'handshaking' | 'ready' | 'ending' | 'ended';

/** The steps between the states of a session. */
export type SessionStep = 'launched' | 'initialized' | 'close-asked' | 'gone' | 'reopened';

/** All state transitions of a session. A step that is not listed changes nothing. */
export const sessionSteps: Readonly<
  Record<SessionState, Partial<Readonly<Record<SessionStep, SessionState>>>>
> = {
  starting: { launched: 'handshaking', 'close-asked': 'ending', gone: 'ended' },
  handshaking: { initialized: 'ready', 'close-asked': 'ending', gone: 'ended' },
  ready: { 'close-asked': 'ending', gone: 'ended' },
  ending: { gone: 'ended' },
  ended: { reopened: 'starting' },
};

/** The state after a step. */
export function nextState(state: SessionState, step: SessionStep): SessionState {
  return sessionSteps[state][step] ?? state;
}
