import { isSameProcess, type ProcessId } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';

/** How long to wait for a killed server's CLI; its keeper ends it sooner. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

/** Waits until a killed server's CLI is gone: two CLIs writing one conversation would corrupt it. */
export async function untilGone(cli: ProcessId | undefined, clock: Clock): Promise<void> {
  const start = clock.now();
  while (cli !== undefined && isSameProcess(cli) && clock.now() - start < PATIENCE_MS) {
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}
