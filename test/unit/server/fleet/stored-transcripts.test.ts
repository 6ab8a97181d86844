import { expect, test } from 'vitest';
import { MemoryStore } from '../../../../src/host/transcripts/memory-store.js';
import { StoredTranscripts } from '../../../../src/server/fleet/transcripts/stored-transcripts.js';
import { transcriptLines, WrittenTranscripts } from '../../../support/written-transcripts.js';

const conversation = '3c7c6a43-0c0c-4d1a-8f0a-3d0f6f0f9c11';
const main = `${conversation}.jsonl`;
const key = { projectKey: 'coxswain-fleet', sessionId: conversation };

function placeOn({ cwd, configDir }: WrittenTranscripts, epoch = 1) {
  return { session: 's1', conversation, cwd, configDir, epoch };
}

test('another machine gets the transcript and those of subagents from a store', async () => {
  const [one, two, store] = [new WrittenTranscripts(), new WrittenTranscripts(), new MemoryStore()];
  one.write(main, transcriptLines(1, 3));
  one.write(`${conversation}/subagents/agent-a1.jsonl`, transcriptLines(10, 2));
  one.write(`${conversation}/subagents/agent-a1.meta.json`, '{"agentType":"explore"}');
  await new StoredTranscripts(store).save(placeOn(one));
  expect(await new StoredTranscripts(store).restore(placeOn(two, 2))).toBe(true);
  for (const name of [main, `${conversation}/subagents/agent-a1.jsonl`])
    expect(two.read(name)).toBe(one.read(name));
  expect(JSON.parse(two.read(`${conversation}/subagents/agent-a1.meta.json`))).toEqual({
    agentType: 'explore',
  });
});

test('only new entries are appended, by the same worker and by the next one', async () => {
  const [one, two, store] = [new WrittenTranscripts(), new WrittenTranscripts(), new MemoryStore()];
  const first = new StoredTranscripts(store);
  one.write(main, transcriptLines(1, 2));
  await first.save(placeOn(one));
  await first.save(placeOn(one));
  one.append(main, transcriptLines(3, 1));
  await first.save(placeOn(one));
  const second = new StoredTranscripts(store);
  await second.restore(placeOn(two, 2));
  two.append(main, transcriptLines(4, 2));
  await second.save(placeOn(two, 2));
  expect(store.getEntries(key).map(({ uuid }) => Number(uuid?.slice(-12)))).toEqual([1, 2, 3, 4, 5]);
});

test('an existing longer transcript stays', async () => {
  const [one, store] = [new WrittenTranscripts(), new MemoryStore()];
  one.write(main, transcriptLines(1, 2));
  const transcripts = new StoredTranscripts(store);
  await transcripts.save(placeOn(one));
  one.append(main, transcriptLines(3, 1));
  expect(await transcripts.restore(placeOn(one))).toBe(true);
  expect(one.read(main)).toBe(transcriptLines(1, 3));
});

test('a store without it reports that, even after it was removed', async () => {
  const [one, store] = [new WrittenTranscripts(), new MemoryStore()];
  const transcripts = new StoredTranscripts(store);
  expect(await transcripts.restore(placeOn(one))).toBe(false);
  await transcripts.save(placeOn(one));
  one.write(main, transcriptLines(1, 1));
  await transcripts.save(placeOn(one));
  await transcripts.remove({ conversation });
  expect(await new StoredTranscripts(store).restore(placeOn(one))).toBe(false);
});
