import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { openEngine } from '../../../src/server/fleet/nats/open-engine.js';
import { startNats } from './nats-process.js';
import { natsProgram } from './with-nats.js';

const ENGINE = 'src/server/fleet/nats';
const CACHE = '.cache/nats-stores';

/**
 * Gives a new server the streams of a fleet, as a worker left them that has checked what the server can do: that takes
 * two seconds. They are made once for each state of the engine's sources.
 */
export async function copyPreparedStore(to: string): Promise<void> {
  const known = join(CACHE, fingerprint());
  if (!existsSync(known)) await prepare(known);
  cpSync(known, to, { recursive: true });
}

async function prepare(known: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'new-'));
  const storeDir = join(folder, 'store');
  const server = await startNats({ storeDir, tidies: false });
  try {
    await (await openEngine({ nats: server.url })).close();
  } finally {
    await server.stop();
  }
  try {
    renameSync(storeDir, known);
  } catch (error) {
    // Another worker of the tests was faster.
    if (!existsSync(known)) throw error;
  }
  rmSync(folder, { recursive: true, force: true });
}

/** What the streams depend on: the engine's sources, and the server. */
function fingerprint(): string {
  const hash = createHash('sha256').update(natsProgram ?? '');
  for (const name of readdirSync(ENGINE).sort()) hash.update(readFileSync(join(ENGINE, name)));
  return hash.digest('hex').slice(0, 16);
}
