import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { asSessionId } from '../../../host/transcripts/session-id.js';
import type { SessionKey, TranscriptEntry } from '../../../host/transcripts/store.js';
import { projectKeyIn } from '../../../host/transcripts/store-access.js';
import { METADATA_TYPE } from '../../../host/transcripts/subagents.js';
import { homeOf } from '../../../wire/transport/process/system.js';
import { type Clock, systemClock } from '../../../wire/util/clock.js';
import type { LaunchOptions } from '../options/official-environment.js';
import { inTime } from './in-time.js';

/** The launch options for a conversation from a store, and how to remove its temporary files. */
export interface StoredSession {
  readonly options: LaunchOptions;
  readonly remove: () => Promise<void>;
}

const LOAD_MS = 60_000;

/**
 * Writes a conversation from a store to a private folder, which is the CLI's own folder for this run, so that a CLI
 * can resume it. Without a store, or if the store does not have it, the options stay unchanged.
 */
export async function layOutStored(
  options: LaunchOptions,
  clock: Clock = systemClock,
): Promise<StoredSession> {
  const { sessionStore: store, cwd, loadTimeoutMs = LOAD_MS } = options;
  const asIs = { options, remove: async () => {} };
  if (store === undefined) return asIs;
  const projectKey = projectKeyIn({ dir: cwd });
  const deadline = (what: string) => ({ ms: loadTimeoutMs, clock, what });
  const newest = async () =>
    newestOf((await inTime(store.listSessions?.(projectKey), deadline('list its sessions'))) ?? []);
  const sessionId = asSessionId(options.resume || (options.continue ? await newest() : undefined));
  if (sessionId === undefined) return asIs;
  const load = (key: SessionKey) => inTime(store.load(key), deadline(`load session ${sessionId}`));
  const entries = await load({ projectKey, sessionId });
  const resumed = { ...options, resume: sessionId, continue: false };
  if (entries === null || entries.length === 0) return { ...asIs, options: resumed };
  const folder = join(tmpdir(), `claude-resume-${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const project = join(folder, 'projects', projectKey);
    await write(join(project, `${sessionId}.jsonl`), entries);
    const listed = store.listSubkeys?.({ projectKey, sessionId });
    for (const subpath of (await inTime(listed, deadline(`list the parts of session ${sessionId}`))) ?? []) {
      const below = await load({ projectKey, sessionId, subpath });
      if (below !== null && isInside(subpath)) await writeSubagent(join(project, sessionId, subpath), below);
    }
    await lendConfiguration(options, folder);
    const env = { ...(options.env ?? process.env), CLAUDE_CONFIG_DIR: folder };
    return { options: { ...resumed, env }, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function newestOf(sessions: readonly { sessionId: string; mtime: number }[]): string | undefined {
  return sessions.reduce<(typeof sessions)[number] | undefined>(
    (best, each) => (best === undefined || each.mtime > best.mtime ? each : best),
    undefined,
  )?.sessionId;
}

/** The store chooses the file names; none may point outside the folder. */
function isInside(subpath: string): boolean {
  return subpath.split(/[/\\]/).every((part) => part !== '' && part !== '.' && part !== '..');
}

async function write(path: string, entries: readonly TranscriptEntry[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 });
}

/** The CLI's notes about a subagent are in a file next to its transcript; a store has them among the entries. */
async function writeSubagent(path: string, entries: readonly TranscriptEntry[]): Promise<void> {
  await write(
    `${path}.jsonl`,
    entries.filter(({ type }) => type !== METADATA_TYPE),
  );
  const noted = entries.findLast(({ type }) => type === METADATA_TYPE);
  if (noted === undefined) return;
  const { type: _type, ...facts } = noted;
  await writeFile(`${path}.meta.json`, JSON.stringify(facts), { mode: 0o600 });
}

/** The folder links to what the CLI would find in its usual one: the login and the settings. */
async function lendConfiguration({ env = process.env }: LaunchOptions, folder: string): Promise<void> {
  const usual = env.CLAUDE_CONFIG_DIR || join(homeOf(env), '.claude');
  const global = env.CLAUDE_CONFIG_DIR ? usual : dirname(usual);
  await lend(join(usual, '.credentials.json'), join(folder, '.credentials.json'));
  await lend(join(usual, 'settings.json'), join(folder, 'settings.json'));
  // The CLI writes this file all the time.
  await copyFile(join(global, '.claude.json'), join(folder, '.claude.json')).catch(() => {});
}

/** A link, so that no secret is stored twice; a copy if links are not allowed. */
async function lend(from: string, to: string): Promise<void> {
  await symlink(from, to).catch(() => copyFile(from, to).catch(() => {}));
}
