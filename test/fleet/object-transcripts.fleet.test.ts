import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { ObjectTranscripts } from '../../src/server/fleet/transcripts/object-transcripts.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';
import { transcriptLines, WrittenTranscripts } from '../support/written-transcripts.js';

const conversation = '3c7c6a43-0c0c-4d1a-8f0a-3d0f6f0f9c11';
const main = `${conversation}.jsonl`;

withNats('transcripts as objects of the engine', () => {
  test('another machine gets everything of a conversation, and only whole lines', async () => {
    const { objects } = await bucket();
    const [one, two] = [new WrittenTranscripts(), new WrittenTranscripts()];
    one.write(main, `${transcriptLines(1, 3)}{"type":"user","uu`);
    one.write(`${conversation}/subagents/agent-a1.jsonl`, transcriptLines(10, 2));
    one.write(`${conversation}/tool-results/r1.txt`, 'no end of line');
    await new ObjectTranscripts(objects).save(placeOn(one, 1));
    expect(await new ObjectTranscripts(objects).restore(placeOn(two, 2))).toBe(true);
    expect(two.read(main)).toBe(transcriptLines(1, 3));
    expect(two.read(`${conversation}/subagents/agent-a1.jsonl`)).toBe(transcriptLines(10, 2));
    expect(two.read(`${conversation}/tool-results/r1.txt`)).toBe('no end of line');
  });

  test('a turn costs only what it wrote, and many pieces are joined', async () => {
    const { objects, state } = await bucket();
    const [one, two] = [new WrittenTranscripts(), new WrittenTranscripts()];
    const transcripts = new ObjectTranscripts(objects);
    one.write(main, transcriptLines(0, 10_000));
    await transcripts.save(placeOn(one, 1));
    const first = (await state()).bytes;
    for (let turn = 0; turn < 40; turn += 1) {
      one.append(main, transcriptLines(10_000 + turn, 1));
      await transcripts.save(placeOn(one, 1));
    }
    const last = (await state()).bytes;
    expect(last).toBeLessThan(first * 1.1);
    expect((await objects.names()).length).toBeLessThan(20);
    await new ObjectTranscripts(objects).restore(placeOn(two, 2));
    expect(two.read(main)).toBe(transcriptLines(0, 10_040));
    await transcripts.remove({ session: placeOn(one, 1).session });
    // Deleted pieces leave nothing.
    expect(await state()).toMatchObject({ messages: 0 });
  });

  test('a rewritten transcript replaces the previous one', async () => {
    const { objects } = await bucket();
    const [one, two] = [new WrittenTranscripts(), new WrittenTranscripts()];
    const transcripts = new ObjectTranscripts(objects);
    one.write(main, transcriptLines(1, 5));
    await transcripts.save(placeOn(one, 1));
    one.write(main, transcriptLines(3, 4));
    await transcripts.save(placeOn(one, 1));
    await transcripts.restore(placeOn(two, 2));
    expect(two.read(main)).toBe(transcriptLines(3, 4));
  });

  test('a replaced owner saves nothing, and the new one continues although the old one saved last', async () => {
    const { objects } = await bucket();
    const [one, two, three] = [new WrittenTranscripts(), new WrittenTranscripts(), new WrittenTranscripts()];
    const [old, young] = [new ObjectTranscripts(objects), new ObjectTranscripts(objects)];
    one.write(main, transcriptLines(1, 1));
    await old.save(placeOn(one, 1));
    await young.restore(placeOn(two, 2));
    one.append(main, transcriptLines(2, 1));
    await old.save(placeOn(one, 1));
    two.append(main, transcriptLines(7, 1));
    await young.save(placeOn(two, 2));
    one.append(main, transcriptLines(3, 1));
    await expect(old.save(placeOn(one, 1))).rejects.toMatchObject({ code: 'FLEET_FENCED' });
    await young.restore(placeOn(three, 3));
    expect(three.read(main)).toBe(two.read(main));
  });

  test('a longer local transcript stays; a different one is replaced', async () => {
    const { objects } = await bucket();
    const [one, two] = [new WrittenTranscripts(), new WrittenTranscripts()];
    one.write(main, transcriptLines(1, 2));
    const transcripts = new ObjectTranscripts(objects);
    await transcripts.save(placeOn(one, 1));
    one.append(main, transcriptLines(3, 1));
    await transcripts.restore(placeOn(one, 2));
    expect(one.read(main)).toBe(transcriptLines(1, 3));
    two.write(main, transcriptLines(5, 9));
    await transcripts.restore(placeOn(two, 2));
    expect(two.read(main)).toBe(transcriptLines(1, 2));
  });

  test('a damaged copy is refused and leaves no partial files', async () => {
    const { objects } = await bucket();
    const [one, two] = [new WrittenTranscripts(), new WrittenTranscripts()];
    one.write(main, transcriptLines(1, 2));
    const transcripts = new ObjectTranscripts(objects);
    await transcripts.save(placeOn(one, 1));
    const name = (await objects.names()).find((each) => each.includes(`${conversation}/`)) ?? '';
    await objects.putBlob({ name }, new TextEncoder().encode(transcriptLines(8, 2)));
    await expect(transcripts.restore(placeOn(two, 2))).rejects.toMatchObject({ code: 'FLEET_DAMAGED' });
    expect(existsSync(two.path(main))).toBe(false);
  });

  test('a removed transcript is gone, with all its pieces', async () => {
    const { objects } = await bucket();
    const one = new WrittenTranscripts();
    const transcripts = new ObjectTranscripts(objects);
    expect(await transcripts.restore(placeOn(one, 1))).toBe(false);
    one.write(main, transcriptLines(1, 2));
    await transcripts.save(placeOn(one, 1));
    await transcripts.remove({ session: 's1' });
    expect(await objects.names()).toEqual([]);
    expect(await transcripts.restore(placeOn(one, 2))).toBe(false);
  });
});

function placeOn({ cwd, configDir }: WrittenTranscripts, epoch: number) {
  return { session: 's1', conversation, cwd, configDir, epoch };
}

async function bucket() {
  const engine = await openEngine({ nats: (await natsServer()).url });
  onTestFinished(() => engine.close());
  const state = async () => (await engine.jsm.streams.info(`OBJ_${engine.names.transcripts}`)).state;
  return { objects: engine.transcripts, state };
}
