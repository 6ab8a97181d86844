import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storeFolder } from '../support/manager.js';
import { seededRandom } from './random/seeded-random.js';

const MAX_RUNNING = 20;
/** `npm test` tries fewer, as with everything that takes long. */
const [CONVERSATIONS, KILLS] = process.env.COXSWAIN_TESTS === 'some' ? [60, 1] : [500, 4];

/** One run of the host: killed after so many milliseconds of work, or left to finish. */
async function live(folder: string, seed: number, life: number, killAfterMs?: number): Promise<string> {
  const program = join(import.meta.dirname, 'random', 'manager-host.ts');
  const args = [
    '--import',
    './scripts/lib/sources.mjs',
    program,
    folder,
    String(seed),
    String(life),
    String(CONVERSATIONS),
  ];
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  host.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<string>((resolve) => {
    host.on('exit', (code, signal) => resolve(signal ?? `${code} ${stderr}`));
  });
  if (killAfterMs !== undefined) {
    await Promise.race([
      ended,
      expect.poll(() => logOf(folder).alive.has(String(life)), { timeout: 60_000 }).toBe(true),
    ]);
    setTimeout(() => host.kill('SIGKILL'), killAfterMs);
  }
  return ended;
}

interface Log {
  /** Texts by the id of the message, for each `send()` that returned. */
  readonly sent: Map<string, string>;
  readonly told: Map<string, string[]>;
  readonly effects: Map<string, number>;
  readonly alive: Set<string>;
  mostRunning: number;
}

function logOf(folder: string): Log {
  const log: Log = { sent: new Map(), told: new Map(), effects: new Map(), alive: new Set(), mostRunning: 0 };
  const file = join(folder, 'log');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  for (const line of lines) {
    const [what, one = '', other = ''] = line.split(' ');
    if (what === 'sent') log.sent.set(one, other);
    if (what === 'told') log.told.set(one, [...(log.told.get(one) ?? []), other]);
    if (what === 'effect') log.effects.set(one, (log.effects.get(one) ?? 0) + 1);
    if (what === 'alive') log.alive.add(one);
    if (what === 'running') log.mostRunning = Math.max(log.mostRunning, Number(one));
  }
  return log;
}

test('many conversations on 20 CLIs: killing CLIs and the host loses no message and repeats none', async () => {
  const seed = Number(process.env.COXSWAIN_SEED ?? Date.now() % 1_000_000);
  const again = `COXSWAIN_SEED=${seed}`;
  const random = seededRandom(seed);
  const folder = storeFolder();
  for (let life = 0; life < KILLS; life += 1) {
    expect(await live(folder, seed, life, Math.floor(random() * 1_500)), again).toBe('SIGKILL');
  }
  expect(await live(folder, seed, KILLS), again).toMatch(/^0 /);
  const { sent, told, effects, mostRunning } = logOf(folder);
  const all = [...sent].map(([id, text]) => ({
    text,
    told: told.get(id) ?? [],
    effects: effects.get(text) ?? 0,
  }));
  expect(all.length, again).toBeGreaterThanOrEqual(2 * CONVERSATIONS);
  expect(mostRunning, again).toBeLessThanOrEqual(MAX_RUNNING);
  expect(
    all.filter((each) => each.effects > 1 || each.told.length > 1),
    again,
  ).toEqual([]);
  expect(
    all.filter((each) => each.told[0] === 'success' && each.effects !== 1),
    again,
  ).toEqual([]);
  // A host may be killed between its last action and recording it here, once per run.
  const untold = all.filter((each) => each.told.length === 0);
  expect(untold.length, again).toBeLessThanOrEqual(KILLS);
  expect(existsSync(join(folder, 'store', 'lock'))).toBe(false);
}, 240_000);
