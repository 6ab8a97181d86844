import { randomUUID } from 'node:crypto';
import { constants, open, rm, unlink } from 'node:fs/promises';
import { errorCode } from '../../wire/util/error-text.js';
import { OptionError } from '../../wire/util/option-checks.js';
import { needTranscript } from './find-transcript.js';
import { needSessionId, sessionMissing } from './session-id.js';
import type { TranscriptEntry } from './store.js';
import { keyIn } from './store-access.js';
import { subagentsOf } from './subagents.js';
import type { SessionPlace } from './transcript-types.js';

/** Sets the title of a session. @throws OptionError for an empty title or a bad id, CoxswainError `SESSION_MISSING`. */
export async function renameSession(
  sessionId: string,
  title: string,
  options: SessionPlace = {},
): Promise<void> {
  const customTitle = cleaned('title', title, 'The title of a session must not be empty.');
  await add(sessionId, { type: 'custom-title', customTitle }, options);
}

/** Tags a session; null removes the tag.
 * @throws OptionError for an empty tag or a bad id, CoxswainError `SESSION_MISSING`. */
export async function tagSession(
  sessionId: string,
  tag: string | null,
  options: SessionPlace = {},
): Promise<void> {
  const text = tag === null ? '' : cleaned('tag', tag, 'A tag must not be empty; use null to remove it.');
  await add(sessionId, { type: 'tag', tag: text }, options);
}

/** Removes invisible characters and those that change the text direction. */
function cleaned(name: string, value: unknown, whenEmpty: string): string {
  const text = typeof value === 'string' ? value.replaceAll(/\p{Cf}/gu, '').trim() : '';
  if (text === '') throw new OptionError(name, whenEmpty);
  return text;
}

async function add(sessionId: string, entry: TranscriptEntry, options: SessionPlace): Promise<void> {
  if (options.sessionStore !== undefined) {
    const id = needSessionId(sessionId);
    const stamped = { ...entry, sessionId: id, uuid: randomUUID(), timestamp: new Date().toISOString() };
    await options.sessionStore.append(keyIn(options, id), [stamped]);
    return;
  }
  const found = await needTranscript(sessionId, options);
  try {
    await appendLine(found.file, JSON.stringify({ ...entry, sessionId: found.sessionId }));
  } catch (error) {
    const isGone = errorCode(error) === 'ENOENT';
    throw isGone ? sessionMissing(found.sessionId, options) : error;
  }
}

/**
 * Appends a line in one write, so that a CLI that writes at the same time cannot get in
 * between. After a line that a crash truncated, it starts a new one.
 */
async function appendLine(file: string, line: string): Promise<void> {
  // Never creates the file: a session that is deleted meanwhile stays deleted.
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
  try {
    const { size } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    const isCut = size > 0 && buffer[0] !== NEWLINE;
    await handle.appendFile(`${isCut ? '\n' : ''}${line}\n`);
  } finally {
    await handle.close();
  }
}

const NEWLINE = 0x0a;

/**
 * Deletes a session and the transcripts of its subagents, on disk or in the store; a store without `delete` keeps it.
 * The transcript is deleted last, so you can retry after a failure. @throws OptionError for a bad id, CoxswainError
 * `SESSION_MISSING`, and errors of the file system.
 */
export async function deleteSession(sessionId: string, options: SessionPlace = {}): Promise<void> {
  if (options.sessionStore !== undefined) {
    const key = keyIn(options, needSessionId(sessionId));
    await options.sessionStore.delete?.(key);
    return;
  }
  const found = await needTranscript(sessionId, options);
  for (const { file } of await subagentsOf(found)) await rm(file, { force: true });
  await rm(found.beside, { recursive: true, force: true });
  await unlink(found.file);
}
