import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renameSession, tagSession } from '../../src/host/transcripts/change-session.js';
import { checkTranscripts } from '../../src/host/transcripts/check/check-transcripts.js';
import { forkSession } from '../../src/host/transcripts/fork-session.js';
import { listSessions } from '../../src/host/transcripts/list-sessions.js';
import { projectKeyOf } from '../../src/host/transcripts/project-folders.js';
import { sessionInfo } from '../../src/host/transcripts/session-info.js';
import { sessionMessages } from '../../src/host/transcripts/session-messages.js';
import { reply, text, toolUse as useTool } from '../../src/lab/testing/model/replies.js';
import { assistant, putTranscript, SESSION, toolResult, toolUse, user } from '../support/transcripts.js';
import { describeRealClis, eachRealCli } from './support/each-real-cli.js';
import { type RealPlace, realPlace } from './support/real-session.js';

describeRealClis('a conversation on disk', (cli) => {
  test('is listed, read, renamed, forked and checked, and the CLI continues it', async () => {
    await using place = await realPlace(cli);
    const configDir = join(place.folders.home, '.claude');
    const where = { configDir, dir: place.folders.cwd };
    const sessionId = await haveConversation(place);

    expect(await listSessions(where)).toMatchObject([
      { sessionId, firstPrompt: 'make two files', cwd: place.folders.cwd },
    ]);
    const messages = await sessionMessages(sessionId, where);
    expect(messages.map(({ type }) => type)).toEqual([
      'user',
      ...['assistant', 'assistant', 'assistant'],
      ...['user', 'user'],
      'assistant',
    ]);

    await renameSession(sessionId, 'Two files', where);
    await tagSession(sessionId, 'files', where);
    expect(await sessionInfo(sessionId, where)).toMatchObject({ summary: 'Two files', tag: 'files' });
    await goOn(place, sessionId, /make two files/);

    // The fork ends before the answer, and the original has continued since.
    const lastResult = messages[5]?.uuid;
    const fork = await forkSession(sessionId, { ...where, upToMessageId: lastResult });
    const seen = await goOn(place, fork.sessionId, /make two files/);
    expect(seen).not.toContain('All done.');
    expect(await sessionInfo(fork.sessionId, where)).toMatchObject({ customTitle: 'Two files (fork)' });
    expect((await sessionMessages(fork.sessionId, where)).at(-1)?.message).toMatchObject({
      content: [{ type: 'text', text: 'I remember.' }],
    });

    for await (const { file, findings } of checkTranscripts(join(configDir, 'projects'))) {
      expect([file, findings.filter(({ severity }) => severity !== 'note')]).toEqual([file, []]);
    }
  });
});

eachRealCli('the findings about broken transcripts match what the CLI does with them', async (cli) => {
  await using place = await realPlace(cli);
  const configDir = join(place.folders.home, '.claude');
  const lines = [
    user(11, null, 'begin'),
    assistant(12, 11, [{ type: 'text', text: '' }]),
    user(13, 12, 'then'),
    assistant(14, 13, toolUse('toolu_cut')),
    user(15, 14, toolResult('toolu_lost')),
    assistant(16, 15, 'end'),
  ].map((entry) => ({ ...entry, cwd: place.folders.cwd, version: cli.version }));
  const file = await putTranscript(configDir, `${SESSION}.jsonl`, lines, projectKeyOf(place.folders.cwd));
  for await (const { findings } of checkTranscripts(file)) {
    const codes = ['EMPTY_TEXT', 'UNANSWERED_TOOL_USE', 'ORPHAN_TOOL_RESULT'];
    expect(findings.map(({ code }) => code)).toEqual(codes);
  }
  const sent = await goOn(place, SESSION, /begin/);
  const isNew = cli.version === '2.1.326';
  expect(sent.includes('"text":""')).toBe(!isNew);
  expect(sent.includes('toolu_lost')).toBe(!isNew);
  // Left out, or completed with a result.
  expect(sent.split('"toolu_cut"').length - 1).not.toBe(1);
});

async function haveConversation(place: RealPlace): Promise<string> {
  await using session = await place.open({ onPermission: (request) => request.allow() });
  const calls = ['touch one', 'touch two'].map((command) => useTool('Bash', { command }));
  place.model.play([
    { when: 'make two files', reply: reply([text('Let me see.'), ...calls]) },
    { when: { toolResult: '' }, reply: text('All done.') },
  ]);
  expect((await session.send('make two files').outcome).kind).toBe('success');
  return String(session.id);
}

/** Resumes a session in the CLI, and returns the history that it sends to the model. */
async function goOn(place: RealPlace, sessionId: string, past: RegExp): Promise<string> {
  await using session = await place.open({ resume: sessionId });
  place.model.play([{ when: 'what did I ask', reply: text('I remember.') }]);
  expect(await session.send('what did I ask').text()).toBe('I remember.');
  const sent = JSON.stringify(place.model.model.requests.findLast(({ kind }) => kind === 'main')?.messages);
  expect(sent).toMatch(past);
  return sent;
}
