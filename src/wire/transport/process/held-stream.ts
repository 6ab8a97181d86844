import type { Readable } from 'node:stream';

/**
 * Keeps the data in a pipe until somebody reads: Node drains the unread pipes of a child when it exits.
 * Returns the function that releases the data and starts reading.
 */
export function holdUntilRead(stream: Readable): (read: () => void) => void {
  const hold = (): void => {};
  stream.on('readable', hold);
  return (read) => {
    stream.off('readable', hold);
    // The stream drops the listener in the next tick; reading started before that would not start the flow.
    process.nextTick(read);
  };
}
