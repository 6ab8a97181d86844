import type { Readable } from 'node:stream';

/**
 * Keeps what is in a pipe until somebody reads: Node empties the unread pipes of a child when it exits.
 * Gives the function that lets go and then begins to read.
 */
export function holdUntilRead(stream: Readable): (read: () => void) => void {
  const hold = (): void => {};
  stream.on('readable', hold);
  return (read) => {
    stream.off('readable', hold);
    // The stream forgets the listener in the next tick; reading begun before would not start the flow.
    process.nextTick(read);
  };
}
