import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  projectFolder,
  readTranscript,
  Transcript,
} from '../../../../../../src/lab/testing/emulator/program/transcript.js';
import { traitsOf } from '../../../../../../src/lab/testing/emulator/versions/traits.js';
import { ManualClock } from '../../../../../support/manual-clock.js';

const cwd = '/project';
let folder = '';
let sessions = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transcripts-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A conversation that a version stores, and what is on disk. */
function stored({ keepsKilledSession = true, keepsKilledReply = true }) {
  const env = { COXSWAIN_SESSIONS: folder };
  const clock = new ManualClock();
  const traits = { ...traitsOf('2.1.326'), keepsKilledSession, keepsKilledReply };
  sessions += 1;
  const sessionId = `session-${sessions}`;
  const transcript = new Transcript({ env, cwd, sessionId, traits, clock });
  const say = (type: string) => transcript.add({ type, uuid: `${type}-uuid` }, undefined);
  const onDisk = () => readTranscript(projectFolder(env, cwd), sessionId)?.map(({ type }) => type);
  return { transcript, clock, say, onDisk };
}

describe('a transcript', () => {
  test('of a version that writes at once is complete whenever the process is killed', () => {
    const { transcript, say, onDisk } = stored({});
    for (const type of ['user', 'assistant']) say(type);
    transcript.end({ isKilled: true });
    expect(onDisk()).toEqual(['user', 'assistant']);
  });

  test('of a version that writes late is lost with a killed process', () => {
    const { transcript, clock, say, onDisk } = stored({ keepsKilledSession: false, keepsKilledReply: false });
    for (const type of ['user', 'assistant']) say(type);
    transcript.end({ isKilled: true });
    clock.advance(1_000);
    expect(onDisk()).toBeUndefined();
  });

  test('of a version that writes replies late loses only the last reply', () => {
    const { transcript, clock, say, onDisk } = stored({ keepsKilledReply: false });
    for (const type of ['user', 'assistant', 'user', 'assistant']) say(type);
    transcript.end({ isKilled: true });
    clock.advance(1_000);
    expect(onDisk()).toEqual(['user', 'assistant', 'user']);
  });

  test('that is late is written after a moment, and when the process ends by itself', () => {
    const { transcript, clock, say, onDisk } = stored({ keepsKilledSession: false, keepsKilledReply: false });
    say('user');
    clock.advance(99);
    expect(onDisk()).toBeUndefined();
    clock.advance(1);
    expect(onDisk()).toEqual(['user']);
    say('assistant');
    transcript.end({ isKilled: false });
    expect(onDisk()).toEqual(['user', 'assistant']);
  });
});
