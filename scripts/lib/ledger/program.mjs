// What a CLI reveals without a conversation: its help, its flags, and the quoted names in its program.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { flagsInHelp } from '../../../src/lab/conformance/ledger/help.ts';
import { scrubbedEnvironment } from '../../../src/lab/testing/real-cli/scrubbed-environment.ts';
import { triedFlags } from './tried-flags.mjs';

const MADE_UP = '--coxswain-made-this-up';
const MOST_MS = 180_000;
/** Nothing listens there. */
const NO_MODEL = 'http://127.0.0.1:9';

/** The hash of a program's file, its quoted names, the fields it names, and every flag that it mentions. */
export async function readProgram(path, { names, fields }) {
  const wanted = new Set(names);
  const isField = new RegExp(`\\b(?:${fields.join('|')})\\b`, 'g');
  const hash = createHash('sha256');
  const found = new Set();
  const flags = new Set();
  const mentioned = new Set();
  let rest = '';
  for await (const chunk of createReadStream(path, { highWaterMark: 16 << 20 })) {
    hash.update(chunk);
    const text = rest + chunk.toString('latin1');
    for (const [, , name] of text.matchAll(/(["'`])([A-Za-z][A-Za-z_]{2,48})\1/g)) {
      if (wanted.has(name)) found.add(name);
    }
    for (const [field] of text.matchAll(isField)) mentioned.add(field);
    for (const [flag] of text.matchAll(/--[A-Za-z][A-Za-z-]{1,60}/g)) flags.add(flag);
    rest = text.slice(-60);
  }
  const has = Object.fromEntries(fields.map((field) => [field, mentioned.has(field)]));
  return { sha256: hash.digest('hex'), named: [...found].sort(), fields: has, flags };
}

/** The flags that `--help` lists. */
export async function readHelp(path) {
  return flagsInHelp(await call(path, ['--help']));
}

/**
 * Tries flags, all at once: a CLI names the first unknown one and exits. An invalid flag comes
 * last, so that no CLI ever starts to work.
 */
export async function tryFlags(path, flags) {
  let left = flags;
  const refused = [];
  while (left.length > 0) {
    const said = await call(path, ['--print', ...left.map(written), MADE_UP]);
    const unknown = refusedIn(said);
    if (unknown === MADE_UP) return { taken: left, refused };
    const out = left.filter((flag) => flag === unknown || flag.startsWith(`${unknown}=`));
    if (out.length === 0) throw new Error(`${path} said to flags: ${said.slice(0, 300)}`);
    refused.push(...out);
    left = left.filter((flag) => !out.includes(flag));
  }
  return { taken: [], refused };
}

function refusedIn(said) {
  const [, flag, value] = /option '(--[\w-]+)[^']*' argument '([^']*)' is invalid/.exec(said) ?? [];
  return flag === undefined ? /unknown option '(--[^'=]+)/.exec(said)?.[1] : `${flag}=${value}`;
}

function written(flag) {
  const value = triedFlags[flag];
  return value === null ? flag : `${flag}=${value}`;
}

/** Runs a CLI without this machine's configuration; returns its output. */
async function call(path, args) {
  const home = await mkdtemp(join(tmpdir(), 'coxswain-help-'));
  const env = scrubbedEnvironment({ home, tmp: home, modelUrl: NO_MODEL });
  const [command, ...before] = path.endsWith('.js') ? [process.execPath, path] : [path];
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(command, [...before, ...args], {
        cwd: home,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said += data));
      child.once('error', reject);
      child.once('close', () => {
        clearTimeout(timer);
        resolve(said);
      });
    });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
