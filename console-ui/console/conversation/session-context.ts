import { createContext, useContext, useState } from 'react';
import type { FilePlace } from '../files/file-links.js';

/** What rows need to know about their session. */
export interface SessionReach {
  readonly session: string;
  /** Its working folder. */
  readonly cwd: string;
  /** Whether its CLI can be queried. */
  readonly connected: boolean;
  /** Accepted messages that have not started. */
  readonly queued: readonly string[];
  readonly onRewind: (message: string) => void;
  /** How often the rewind dialog was opened. */
  readonly rewound: number;
  /** Shows a file in the session's folder. */
  readonly onFile?: ((place: FilePlace) => void) | undefined;
  /** What was expanded or collapsed: rows that are out of sight are not in the page. */
  readonly unfolded: Map<string, boolean>;
}

export const SessionContext = createContext<SessionReach>({
  session: '',
  cwd: '',
  connected: false,
  queued: [],
  onRewind: () => {},
  rewound: 0,
  unfolded: new Map(),
});

/** Whether a part of a row is expanded, and how to change that; the state survives scrolling out of sight. */
export function useUnfolded(id: string, initial = false): readonly [open: boolean, toggle: () => void] {
  const { unfolded } = useContext(SessionContext);
  const [open, setOpen] = useState(() => unfolded.get(id) ?? initial);
  const toggle = () => {
    unfolded.set(id, !open);
    setOpen(!open);
  };
  return [open, toggle];
}
