import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledHost } from '../support/bundled-host.js';
import { storeFolder } from '../support/manager.js';
import { seededRandom } from './random/seeded-random.js';

const MAX_RUNNING = 20;
const MESSAGES = 2;
/** `npm test` tries fewer, as with everything that takes long. */
const [CONVERSATIONS, KILLS] = process.env.COXSWAIN_TESTS === 'some' ? [60, 1] : [500, 4];

const source = join(import.meta.dirname, 'random', 'manager-host.ts');
let bundled: Promise<string> | undefined;
const host = () => (bundled ??= bundledHost(source));

/** One run of the host: killed once it has logged so many lines, or left to finish. */
async function live(folder: string, seed: number, life: number, killAt?: number): Promise<string> {
  const args = [await host(), folder];
  const numbers = [seed, life, CONVERSATIONS].map(String);
  const end = killAt === undefined ? [] : ['killed'];
  const linesBefore = linesOf(folder).length;
  const started = spawn(process.execPath, [...args, ...numbers, ...end], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  started.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<string>((resolve) => {
    started.on('exit', (code, signal) => resolve(signal ?? `${code} ${stderr}`));
  });
  if (killAt !== undefined) {
    const worked = () => linesOf(folder).length - linesBefore;
    const reason = `The host logs ${killAt} lines`;
    await Promise.race([
      ended,
      expect.poll(worked, { interval: 5, timeout: 60_000, message: reason }).toBeGreaterThanOrEqual(killAt),
    ]);
    started.kill('SIGKILL');
  }
  return ended;
}

interface Log {
  /** Texts by the id of the message, for each `send()` that returned. */
  readonly sent: Map<string, string>;
  readonly told: Map<string, string[]>;
  readonly effects: Map<string, number>;
  mostRunning: number;
}

function logOf(folder: string): Log {
  const log: Log = { sent: new Map(), told: new Map(), effects: new Map(), mostRunning: 0 };
  for (const line of linesOf(folder)) {
    const [what, one = '', other = ''] = line.split(' ');
    if (what === 'sent') log.sent.set(one, other);
    if (what === 'told') log.told.set(one, [...(log.told.get(one) ?? []), other]);
    if (what === 'effect') log.effects.set(one, (log.effects.get(one) ?? 0) + 1);
    if (what === 'running') log.mostRunning = Math.max(log.mostRunning, Number(one));
  }
  return log;
}

function linesOf(folder: string): readonly string[] {
  const file = join(folder, 'log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

test('many conversations on 20 CLIs: killing CLIs and the host loses no message and repeats none', async () => {
  const seed = Number(process.env.COXSWAIN_SEED ?? Date.now() % 1_000_000);
  const again = `COXSWAIN_SEED=${seed}`;
  const random = seededRandom(seed);
  const folder = storeFolder();
  for (let life = 0; life < KILLS; life += 1) {
    // A life logs about three lines per message.
    const killAt = 1 + Math.floor(random() * 3 * MESSAGES * CONVERSATIONS);
    expect(await live(folder, seed, life, killAt), again).toBe('SIGKILL');
  }
  expect(await live(folder, seed, KILLS), again).toMatch(/^0 /);
  const { sent, told, effects, mostRunning } = logOf(folder);
  const all = [...sent].map(([id, text]) => ({
    text,
    told: told.get(id) ?? [],
    effects: effects.get(text) ?? 0,
  }));
  expect(all.length, again).toBeGreaterThanOrEqual(MESSAGES * CONVERSATIONS);
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
