import { type ReactNode, useContext } from 'react';
import { SessionContext } from '../conversation/session-context.js';
import { useWatchOnly } from '../store/context.js';
import type { FilePlace } from './file-links.js';

/** A file name, which opens the file for those who may read it. */
export function PathButton({
  place,
  className = 'path',
  children,
}: {
  place: FilePlace;
  className?: string;
  children: ReactNode;
}) {
  const { onFile } = useContext(SessionContext);
  const watchOnly = useWatchOnly();
  if (watchOnly || onFile === undefined) return children;
  return (
    <button type="button" className={className} title={`Open ${place.path}`} onClick={() => onFile(place)}>
      {children}
    </button>
  );
}
