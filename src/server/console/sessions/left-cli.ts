import { isSameProcess, type ProcessId } from '../../../wire/transport/process/process-id.js';
import type { Clock } from '../../../wire/util/clock.js';

/** How long a CLI of a server that was killed is waited for; the keeper ends it sooner. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

/** Waits until the CLI of a server that was killed is gone: two that write one conversation would spoil it. */
export async function untilGone(cli: ProcessId | undefined, clock: Clock): Promise<void> {
  const start = clock.now();
  while (cli !== undefined && isSameProcess(cli) && clock.now() - start < PATIENCE_MS) {
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}
