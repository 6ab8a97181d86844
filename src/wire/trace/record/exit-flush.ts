const flushes = new Set<() => void>();

/** Runs something when the process exits, with one listener for all; the result calls it off. */
export function onProcessExit(flush: () => void): () => void {
  if (flushes.size === 0) process.on('exit', flushAll);
  flushes.add(flush);
  return () => {
    flushes.delete(flush);
    if (flushes.size === 0) process.off('exit', flushAll);
  };
}

function flushAll(): void {
  for (const flush of flushes) flush();
}
