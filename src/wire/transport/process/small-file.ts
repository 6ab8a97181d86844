import { closeSync, openSync, readSync } from 'node:fs';

/** How much of a file is read at once. */
export const ROOM_BYTES = 64 * 1024;

/** Most files that are read before and after a CLI fit in here; new memory for each would cost more than reading them. */
const ROOM = Buffer.allocUnsafeSlow(ROOM_BYTES);

/**
 * The first bytes of a file, at most 64 KiB, in memory that the next call uses again.
 * @throws what the system reports.
 */
export function readStartOf(path: string, bytes: number = ROOM_BYTES): Buffer {
  const file = openSync(path, 'r');
  try {
    return ROOM.subarray(0, readSync(file, ROOM, 0, Math.min(bytes, ROOM_BYTES), 0));
  } finally {
    closeSync(file);
  }
}

/**
 * The text of a file of the kernel, which tells its size only by its end.
 * @throws what the system reports.
 */
export function readKernelFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    let text = '';
    for (;;) {
      const length = readSync(file, ROOM, 0, ROOM_BYTES, null);
      if (length === 0) return text;
      text += ROOM.toString('latin1', 0, length);
    }
  } finally {
    closeSync(file);
  }
}
