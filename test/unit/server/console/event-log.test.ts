import { appendFile, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ReceivedEvent } from '../../../../src/entry/remote/received-event.js';
import { eventOf, type LogEntry, socketText } from '../../../../src/server/console/log/entry.js';
import { type EventLog, type LogLimits, openEventLog } from '../../../../src/server/console/log/event-log.js';
import { Segments } from '../../../../src/server/console/log/segments.js';
import { isObject } from '../../../../src/wire/protocol/frames.js';
import { startRecording } from '../../../../src/wire/trace/record/recording.js';
import type { Diagnostic } from '../../../../src/wire/util/diagnostics.js';
import { ManualClock } from '../../../support/manual-clock.js';

const SMALL: LogLimits = { memory: 400, segmentBytes: 1_000, maxBytes: 4_000 };
/** Files that a disk does not take in one write. */
const LARGE: LogLimits = { memory: 400, segmentBytes: 3_000_000, maxBytes: 100_000_000 };

async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Everything from a number on, wherever it is. */
async function readFrom(log: EventLog, from: number): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of log.stored(from)) entries.push(entry);
  const next = (entries.at(-1)?.n ?? from - 1) + 1;
  return [...entries, ...(log.recent(Math.max(next, log.firstRecent)) ?? [])];
}

test('numbers events one by one, across several openings', async () => {
  const folder = await folderForTest();
  const first = await openEventLog({ folder });
  expect(first.log.last).toBe(0);
  expect([first.log.add({ kind: 'a' }), first.log.add({ kind: 'b' })]).toEqual([1, 2]);
  await first.log.close();
  const second = await openEventLog({ folder });
  expect(second.tail.map(eventOf)).toEqual([{ kind: 'a' }, { kind: 'b' }]);
  expect(second.log.add({ kind: 'c' })).toBe(3);
  const all = await readFrom(second.log, 1);
  expect(all.map(({ n }) => n)).toEqual([1, 2, 3]);
  expect(all.map(eventOf)).toEqual([{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }]);
  await second.log.close();
});

test('accepts a recording: the wire lines come out byte for byte', async () => {
  const { log } = await openEventLog({ folder: await folderForTest() });
  const recording = startRecording({ to: log.sink, redact: false });
  const lines = ['{"type":"user","text":"sk-ant-secret \\u2028 é"}', 'no json at all', '{"a": 1.0}'];
  recording.lines('cli', lines);
  const received = (log.recent(1) ?? []).map((entry) =>
    ReceivedEvent.read(socketText('some-session', entry)),
  );
  expect(received.map((event) => event?.event.kind)).toEqual(['header', 'line', 'line', 'line']);
  expect(received.map((event) => event?.line?.text)).toEqual([undefined, lines[0], undefined, lines[2]]);
  expect(received[2]?.event).toMatchObject({ text: 'no json at all', from: 'cli' });
  await log.close();
});

test('a watcher that fails stops neither the recording nor the other watchers, and is reported once', async () => {
  const codes: string[] = [];
  const onDiagnostic = ({ code }: Diagnostic) => {
    codes.push(code);
    log.add({ kind: 'note', code });
  };
  const { log } = await openEventLog({ folder: await folderForTest(), onDiagnostic });
  const recording = startRecording({ to: log.sink, redact: false }, {}, { onDiagnostic });
  let seen = 0;
  log.watch(() => {
    throw new Error('The disk failed.');
  });
  log.watch(() => {
    seen = log.last;
  });
  recording.lines('cli', ['{"type":"one"}']);
  recording.lines('cli', ['{"type":"two"}']);
  expect(codes).toEqual(['CALLBACK_FAILED']);
  expect((log.recent(1) ?? []).map(eventOf)).toMatchObject([
    { kind: 'header' },
    { frame: { type: 'one' } },
    { kind: 'note' },
    { frame: { type: 'two' } },
  ]);
  expect(seen).toBe(4);
  await log.close();
});

test('an event is the same after a round trip through the file and the socket, whatever it contains', async () => {
  const folder = await folderForTest();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 8 }),
      async (values) => {
        const place = join(folder, String(Math.random()));
        const { log } = await openEventLog({ folder: place });
        const events = values.map((value) => ({ kind: 'note', value }));
        for (const event of events) log.add(event);
        await log.close();
        const { tail } = await openEventLog({ folder: place });
        const onSocket = tail.map((entry) => ReceivedEvent.read(socketText('s', entry))?.event);
        expect(JSON.stringify(onSocket)).toBe(JSON.stringify(events));
      },
    ),
    { numRuns: 40 },
  );
});

test('keeps a limited amount in memory and on disk, without a gap in the rest', async () => {
  const folder = await folderForTest();
  const { log } = await openEventLog({ folder, limits: SMALL });
  for (let index = 0; index < 200; index += 1) log.add({ kind: 'note', text: 'x'.repeat(50) });
  expect((log.recent(log.firstRecent) ?? []).length).toBeLessThan(10);
  expect(log.recent(1)).toBeUndefined();
  expect(log.first).toBeGreaterThan(1);
  const left = await readFrom(log, log.first);
  expect(left[0]?.n).toBe(log.first);
  expect(left.map(({ n }) => n)).toEqual(left.map((_, index) => log.first + index));
  expect(left.at(-1)?.n).toBe(200);
  await log.close();
  expect((await readdir(folder)).length).toBeLessThanOrEqual(6);
});

test('one event that is larger than all limits is kept', async () => {
  const { log } = await openEventLog({ folder: await folderForTest(), limits: SMALL });
  log.add({ kind: 'note', text: 'x'.repeat(20_000) });
  expect(await readFrom(log, 1)).toHaveLength(1);
  await log.close();
});

test('a line truncated by a crash is left out, and numbers continue after the last whole one', async () => {
  const folder = await folderForTest();
  const before = await openEventLog({ folder });
  before.log.add({ kind: 'note' });
  await before.log.close();
  const [file = ''] = await readdir(folder);
  await appendFile(join(folder, file), '{"v":1,"n":2,"at":5,"kind":"no');
  const after = await openEventLog({ folder });
  expect(after.log.last).toBe(1);
  expect(after.log.add({ kind: 'note' })).toBe(2);
  expect((await readFrom(after.log, 1)).map(({ n }) => n)).toEqual([1, 2]);
  await after.log.close();
});

test('foreign files and unreadable lines are left alone', async () => {
  const folder = await folderForTest();
  await writeFile(join(folder, 'session.json'), '{}');
  await writeFile(join(folder, '000000000000001.trace'), 'rubbish\n{"v":1,"n":1,"at":1,"kind":"note"}\n\n');
  const { log, tail } = await openEventLog({ folder });
  expect(tail.map(({ n }) => n)).toEqual([1]);
  expect(log.last).toBe(1);
  await log.close();
});

test('notifies its watchers of each event, until they unsubscribe', async () => {
  const { log } = await openEventLog({ folder: await folderForTest() });
  const seen: number[] = [];
  const stop = log.watch(() => seen.push(log.last));
  log.add({ kind: 'note' });
  log.add({ kind: 'note' });
  stop();
  log.add({ kind: 'note' });
  expect(seen).toEqual([1, 2]);
  await log.close();
});

test('a file that is full is written to its end, however slow the disk is', async () => {
  const clock = new ManualClock();
  const { log } = await openEventLog({ folder: await folderForTest(), limits: LARGE, clock });
  for (let n = 0; n < 20; n += 1) log.add({ kind: 'note', text: 'x'.repeat(500_000) });
  // Before the disk has taken anything.
  clock.advance(60_000);
  expect((await readFrom(log, 1)).map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  await log.close();
});

test('of the full files that wait for a slow disk, the oldest is left when there are too many', async () => {
  const clock = new ManualClock();
  const codes: string[] = [];
  const onDiagnostic = ({ code }: Diagnostic) => codes.push(code);
  const { log } = await openEventLog({ folder: await folderForTest(), limits: LARGE, clock, onDiagnostic });
  for (let n = 0; n < 80; n += 1) log.add({ kind: 'note', text: 'x'.repeat(500_000) });
  clock.advance(60_000);
  await expect.poll(() => codes).toEqual(['RECORDING_FAILED']);
  await log.close();
});

test('a disk that cannot be written costs the old events, not the new ones', async () => {
  const folder = await folderForTest();
  const problems: string[] = [];
  const { log } = await openEventLog({
    folder,
    limits: SMALL,
    onDiagnostic: ({ code }) => problems.push(code),
  });
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file where the folder was');
  for (let index = 0; index < 20; index += 1) log.add({ kind: 'note', text: 'x'.repeat(50) });
  await log.close();
  expect(problems).toContain('RECORDING_FAILED');
  const recent = log.recent(log.firstRecent) ?? [];
  expect(recent.at(-1)?.n).toBe(20);
  expect(isObject(eventOf(recent[0] as LogEntry))).toBe(true);
  expect(await readFrom(log, 1)).toEqual(recent);
});

/**
 * A log whose disk fails and recovers; `memory` is how much of it is kept meanwhile. Its folder is a link, since a link
 * can be exchanged in one step: a try to write must not make a folder between two.
 */
async function failingLog(memory: number) {
  const place = await folderForTest();
  const [folder, disk, noDisk] = [join(place, 'log'), join(place, 'disk'), join(place, 'no-disk')];
  const aimAt = async (target: string) => {
    await symlink(target, `${folder}-next`);
    await rename(`${folder}-next`, folder);
  };
  await mkdir(disk);
  await writeFile(noDisk, 'no folder');
  await aimAt(disk);
  const limits = { ...SMALL, memory, maxBytes: 100_000 };
  const clock = { now: 0 };
  const diagnostics: string[] = [];
  const options = { folder, limits, now: () => clock.now };
  const { log } = await openEventLog({ ...options, onDiagnostic: ({ code }) => diagnostics.push(code) });
  const add = (count: number) => {
    for (let each = 0; each < count; each += 1) log.add({ kind: 'a', text: 'x'.repeat(100) });
  };
  const fail = async () => {
    for await (const _entry of log.stored(1)) break;
    await aimAt(noDisk);
  };
  const recover = () => aimAt(disk);
  return { log, options, clock, diagnostics, add, fail, recover };
}

const notesIn = (entries: readonly LogEntry[]) =>
  entries.flatMap((entry) => {
    const event = eventOf(entry);
    return isObject(event) && event.code === 'RECORDING_RESUMED' ? [String(event.text)] : [];
  });

test('recording goes on when a disk has room again, with an event that names what is missing', async () => {
  const { log, options, clock, diagnostics, add, fail, recover } = await failingLog(600);
  add(5);
  await fail();
  add(20);
  await expect.poll(() => diagnostics).toEqual(['RECORDING_FAILED']);
  add(10);
  // It looks now and then, and says nothing until there is something to say.
  clock.now = 6_000;
  add(1);
  await recover();
  clock.now = 12_000;
  await expect
    .poll(() => {
      clock.now += 6_000;
      add(1);
      return notesIn(log.recent(log.firstRecent) ?? []).length;
    })
    .toBe(1);
  add(3);
  const { last } = log;
  await log.close();
  expect(diagnostics).toEqual(['RECORDING_FAILED']);
  const again = await openEventLog(options);
  expect(again.log.last).toBe(last);
  const entries = await readFrom(again.log, 1);
  const missing = Array.from({ length: last }, (_, at) => at + 1).filter(
    (n) => !entries.some((entry) => entry.n === n),
  );
  expect(missing.length).toBeGreaterThan(5);
  const [note = ''] = notesIn(entries);
  expect(note).toContain(`Missing: events ${missing[0]} to ${missing.at(-1)}.`);
  expect(missing).toHaveLength((missing.at(-1) ?? 0) - (missing[0] ?? 0) + 1);
  await again.log.close();
});

test('events that a disk cannot read at the moment are not called missing', async () => {
  const { log, options, add, fail, recover } = await failingLog(600);
  add(5);
  await fail();
  const segments = new Segments({ ...options.limits, folder: options.folder });
  await expect(segments.lastStored()).rejects.toThrow('ENOTDIR');
  await recover();
  await segments.open();
  expect(await segments.lastStored()).toBe(5);
  await fail();
  await expect(segments.lastStored()).rejects.toThrow('ENOTDIR');
  await recover();
  await log.close();
});

test('a log loses nothing that is still in memory when its disk recovers before it is closed', async () => {
  const { log, options, diagnostics, add, fail, recover } = await failingLog(100_000);
  add(5);
  await fail();
  add(20);
  await expect.poll(() => diagnostics).toEqual(['RECORDING_FAILED']);
  add(5);
  await recover();
  await log.close();
  const again = await openEventLog(options);
  const entries = await readFrom(again.log, 1);
  expect(entries.map(({ n }) => n)).toEqual(Array.from({ length: 31 }, (_, at) => at + 1));
  expect(notesIn(entries)).toEqual([expect.stringContaining('Nothing is missing')]);
  await again.log.close();
});

test('numbers that clients have seen and no disk has are not used again, and named', async () => {
  const folder = await folderForTest();
  const first = await openEventLog({ folder });
  for (let each = 0; each < 25; each += 1) first.log.add({ kind: 'a' });
  await first.log.close();
  const second = await openEventLog({ folder, told: 52 });
  expect(second.log.last).toBe(1_000_001);
  expect(notesIn(await readFrom(second.log, 1))).toEqual([expect.stringContaining('events 26 to 52')]);
  await second.log.close();
});
