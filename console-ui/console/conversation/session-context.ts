import { createContext } from 'react';

/** What rows need to know of the session that they belong to. */
export interface SessionReach {
  readonly session: string;
  /** Whether its CLI can be asked for anything. */
  readonly connected: boolean;
  /** Messages that were taken and have not begun. */
  readonly queued: readonly string[];
  readonly onRewind: (message: string) => void;
}

export const SessionContext = createContext<SessionReach>({
  session: '',
  connected: false,
  queued: [],
  onRewind: () => {},
});
