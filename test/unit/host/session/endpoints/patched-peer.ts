import { Session } from '../../../../../src/host/session/session.js';
import { ControlPeer } from '../../../../../src/wire/peer/control-peer.js';
import type { RequestBody, WireObject } from '../../../../../src/wire/protocol/frames.js';
import { memoryPair } from '../../../../../src/wire/transport/memory.js';
import { deferred } from '../../../../../src/wire/util/deferred.js';
import { ManualClock } from '../../../../support/manual-clock.js';

/** A session on a CLI of a version, with these requests added by patches; answers by subtype, errors are thrown. */
export async function sessionOn(
  { version, patched = [] }: { readonly version?: string; readonly patched?: readonly string[] },
  answers: Readonly<Record<string, (body: RequestBody) => unknown>>,
) {
  const [near, far] = memoryPair();
  const told = deferred<WireObject>();
  const cli = new ControlPeer(far, { onMessage: (message) => told.resolve(message) });
  const asked: RequestBody[] = [];
  cli.handle('initialize', () => ({}));
  for (const [subtype, answer] of Object.entries(answers)) {
    cli.handle(subtype, (body) => {
      asked.push(body);
      return answer(body);
    });
  }
  cli.start();
  const clock = new ManualClock();
  const launch = async () => ({
    transport: near,
    version: Promise.resolve(version),
    patched: new Set(patched),
  });
  const session = new Session({}, { launch, clock });
  await session.ready;
  return { session, asked, cli, clock, firstMessage: told.promise };
}
