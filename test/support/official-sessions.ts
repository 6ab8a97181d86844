import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { archiveSession, unarchiveSession } from '../../src/host/transcripts/archive-session.js';
import { deleteSession, renameSession, tagSession } from '../../src/host/transcripts/change-session.js';
import { foldSummary } from '../../src/host/transcripts/fold-summary.js';
import { forkSession } from '../../src/host/transcripts/fork-session.js';
import { listSessions } from '../../src/host/transcripts/list-sessions.js';
import { sessionInfo } from '../../src/host/transcripts/session-info.js';
import { sessionMessages } from '../../src/host/transcripts/session-messages.js';
import { listSubagents, subagentMessages } from '../../src/host/transcripts/subagents.js';

/** A call by its official name; the options come last and are optional. */
export type Call = readonly [name: keyof typeof OURS, ...args: unknown[]];

/** The result of a call. Errors are compared as such: their wording differs. */
export type Outcome = { readonly value?: unknown } | { readonly error: string };

// biome-ignore lint/suspicious/noExplicitAny: the arguments are those of the official SDK
type AnyFunction = (...args: any[]) => unknown;

/** Our functions under the official names, and the position of their options. */
const OURS = {
  listSessions: [listSessions, 0],
  getSessionInfo: [sessionInfo, 1],
  getSessionMessages: [sessionMessages, 1],
  listSubagents: [listSubagents, 1],
  getSubagentMessages: [subagentMessages, 2],
  renameSession: [renameSession, 2],
  tagSession: [tagSession, 2],
  archiveSession: [archiveSession, 1],
  unarchiveSession: [unarchiveSession, 1],
  deleteSession: [deleteSession, 1],
  forkSession: [forkSession, 1],
  foldSessionSummary: [foldSummary, 3],
} as const satisfies Record<string, readonly [AnyFunction, number]>;

/** Makes the calls with our functions, in order. */
export async function callOurs(configDir: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [name, ...args] of calls) {
    const [run, place] = OURS[name] as readonly [AnyFunction, number];
    const before = Array.from({ length: place }, (_, index) => args[index]);
    try {
      const options = { ...(args[place] as object), ...(name === 'foldSessionSummary' ? {} : { configDir }) };
      outcomes.push(plainly({ value: await run(...before, options) }));
    } catch (error) {
      outcomes.push({ error: (error as Error).message });
    }
  }
  return outcomes;
}

const PROGRAM = resolve('test/peers/official-sessions.mjs');

/** Why the official SDK cannot be called; undefined when it can. */
export const OFFICIAL_MISSING = existsSync('test/peers/node_modules/@anthropic-ai/claude-agent-sdk')
  ? undefined
  : 'the official SDK is not installed in test/peers (see the npm error above)';

/** Runs the calls with the official SDK, in one process without a network and with its own home. */
export async function callOfficial(configDir: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
  const home = await mkdtemp(join(tmpdir(), 'official-'));
  try {
    const file = join(home, 'calls.json');
    await writeFile(file, JSON.stringify(calls));
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: configDir };
    const options = { env, cwd: home, maxBuffer: 1 << 28 };
    const args = ['--import', resolve('test/fixtures/no-network.mjs'), PROGRAM, file];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as Outcome[];
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** Keys that the official SDK adds without declaring them, and that say nothing new. */
const UNDECLARED = new Set(['is_meta', 'isCompletedLocalCommand']);

/** A value as JSON, without undeclared keys and error messages. */
export function plainly(value: unknown): Outcome {
  const text = JSON.stringify(value, (key, each: unknown) => (UNDECLARED.has(key) ? undefined : each));
  return JSON.parse(text) as Outcome;
}

/** The same for comparing: that a call fails counts, not its wording. */
export function comparable(outcome: Outcome | undefined): unknown {
  return outcome !== undefined && 'error' in outcome ? 'fails' : plainly(outcome ?? {});
}
