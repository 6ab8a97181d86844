// Conversations on disk can be listed, read, forked and checked, without starting a CLI.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoxswainError } from 'coxswain';
import {
  checkTranscripts,
  forkSession,
  listSessions,
  renameSession,
  sessionMessages,
} from 'coxswain/transcripts';

const configDir = await mkdtemp(join(tmpdir(), 'example-'));
await writeConversation(join(configDir, 'projects', '-work-project'));
const shown: string[] = [];
const show = (line: string) => shown.push(line);

// #region read
// Without `configDir` these are the sessions of your own CLI.
const [last] = await listSessions({ dir: '/work/project', limit: 1, configDir });
assert(last);
for (const { type, message } of await sessionMessages(last.sessionId, { limit: 50, configDir })) {
  show(`${type}: ${JSON.stringify(message)}`);
}
// #endregion

// #region change
await renameSession(last.sessionId, 'The colour of the shed', { configDir });
const fork = await forkSession(last.sessionId, { title: 'The same in blue', configDir });
// openSession({ resume: fork.sessionId }) continues from there.
// #endregion

// #region check
for await (const { file, findings } of checkTranscripts(join(configDir, 'projects'))) {
  for (const { line, what, means, remedy } of findings) show(`${file}:${line} ${what} ${means} ${remedy}`);
}
// #endregion

assert.deepEqual(shown, [
  'user: {"role":"user","content":"Which colour?"}',
  'assistant: {"role":"assistant","content":[{"type":"text","text":"Red."}]}',
]);
console.log(shown.join('\n'));
const titles = (await listSessions({ configDir })).map(({ summary }) => summary);
assert.deepEqual(titles.sort(), ['The colour of the shed', 'The same in blue']);
assert.equal((await sessionMessages(fork.sessionId, { configDir })).length, 2);
await assert.rejects(forkSession('00000000-0000-4000-8000-000000000000', { configDir }), (error) => {
  return error instanceof CoxswainError && error.code === 'SESSION_MISSING';
});
await rm(configDir, { recursive: true });

/** A conversation as the CLI would have written it. */
async function writeConversation(folder: string): Promise<void> {
  const sessionId = '5bd1c0de-0000-4000-8000-000000000001';
  const [asked, answered] = ['5bd1c0de-0000-4000-8000-000000000002', '5bd1c0de-0000-4000-8000-000000000003'];
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'Red.' }] };
  const entries = [
    { type: 'user', uuid: asked, parentUuid: null, message: { role: 'user', content: 'Which colour?' } },
    { type: 'assistant', uuid: answered, parentUuid: asked, message: answer },
  ];
  const about = { sessionId, cwd: '/work/project', timestamp: '2026-01-01T12:00:00.000Z' };
  await mkdir(folder, { recursive: true });
  const lines = entries.map((entry) => `${JSON.stringify({ ...entry, ...about })}\n`);
  await writeFile(join(folder, `${sessionId}.jsonl`), lines.join(''));
}
