import { createContext, useContext, useState } from 'react';
import type { FilePlace } from '../files/file-links.js';

/** What rows need to know of the session that they belong to. */
export interface SessionReach {
  readonly session: string;
  /** Whether its CLI can be asked for anything. */
  readonly connected: boolean;
  /** Messages that were taken and have not begun. */
  readonly queued: readonly string[];
  readonly onRewind: (message: string) => void;
  /** How often somebody was asked whether files are to be put back. */
  readonly rewound: number;
  /** Shows a file of the session's folder. */
  readonly onFile?: ((place: FilePlace) => void) | undefined;
  /** What somebody has unfolded or folded: rows that are out of sight are not in the page. */
  readonly unfolded: Map<string, boolean>;
}

export const SessionContext = createContext<SessionReach>({
  session: '',
  connected: false,
  queued: [],
  onRewind: () => {},
  rewound: 0,
  unfolded: new Map(),
});

/** Whether a part of a row is unfolded, and how to change that; it is as it was left when it comes into sight again. */
export function useUnfolded(id: string, initial = false): readonly [open: boolean, toggle: () => void] {
  const { unfolded } = useContext(SessionContext);
  const [open, setOpen] = useState(() => unfolded.get(id) ?? initial);
  const toggle = () => {
    unfolded.set(id, !open);
    setOpen(!open);
  };
  return [open, toggle];
}
