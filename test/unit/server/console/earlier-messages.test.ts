import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventOf } from '../../../../src/server/console/log/entry.js';
import { type EventLog, openEventLog } from '../../../../src/server/console/log/event-log.js';
import {
  addEarlierMessages,
  addMissedMessages,
} from '../../../../src/server/console/sessions/earlier-messages.js';
import type { WireObject } from '../../../../src/wire/protocol/frames.js';

async function emptyLog(): Promise<EventLog> {
  const folder = await mkdtemp(join(tmpdir(), 'coxswain-log-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  // So little in memory that most is read from disk.
  const limits = { memory: 400, segmentBytes: 2_000, maxBytes: 100_000 };
  return (await openEventLog({ folder, limits })).log;
}

const at = (seconds: number) => new Date(1_767_225_600_000 + seconds * 1_000).toISOString();
const said = (uuid: string, id: string, block: WireObject, seconds = 0) => ({
  type: 'assistant',
  uuid,
  message: { id, content: [block] },
  timestamp: at(seconds),
});
const text = (words: string) => ({ type: 'text', text: words });
const asked = (uuid: string, content: unknown, seconds = 0) => ({
  type: 'user',
  uuid,
  message: { content },
  timestamp: at(seconds),
});
const toolResult = { type: 'tool_result', tool_use_id: 't1', content: 'out' };

const transcript: readonly WireObject[] = [
  asked('u1', 'run it'),
  said('a1', 'm1', text('I will.')),
  said('a2', 'm1', { type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
  asked('u2', [toolResult], 5),
  asked('u3', 'and then?', 6),
  said('a3', 'm2', text('Done.'), 7),
];

const from = (messages: readonly WireObject[]) => ({
  conversation: 'c',
  cwd: '/w',
  readMessages: async () => messages,
});

async function linesOf(log: EventLog): Promise<{ n: number; at: number; event: WireObject }[]> {
  const all: { n: number; at: number; event: WireObject }[] = [];
  for await (const entry of log.all()) all.push({ ...entry, event: eventOf(entry) as WireObject });
  return all;
}

test('earlier messages of a resumed conversation have their original times', async () => {
  const log = await emptyLog();
  await addEarlierMessages(log, from(transcript));
  const lines = await linesOf(log);
  expect(lines.map((line) => new Date(line.at).toISOString())).toEqual(
    transcript.map(({ timestamp }) => timestamp),
  );
  expect(lines.map(({ event }) => event.from)).toEqual(['host', 'cli', 'cli', 'cli', 'host', 'cli']);
});

test('messages written while no server was running are added once, whatever their wire ids', async () => {
  const log = await emptyLog();
  const line = (sender: string, frame: WireObject) => log.add({ kind: 'line', t: 1, from: sender, frame });
  line('host', { type: 'user', uuid: 'u1', message: { content: 'run it' } });
  line('cli', { ...said('other', 'm1', text('I will.')) });
  line('cli', { ...said('another', 'm1', { type: 'tool_use', id: 't1', name: 'Bash', input: {} }) });
  line('cli', { type: 'control_request', request: { subtype: 'can_use_tool', tool_use_id: 't1' } });
  // It was on its way to the CLI; whether the CLI received it is unknown.
  line('host', { type: 'user', uuid: 'u3', message: { content: 'and then?' } });
  const before = log.last;
  await addMissedMessages(log, from(transcript));
  const added = (await linesOf(log)).filter(({ n }) => n > before);
  expect(added.map(({ event }) => event.kind)).toEqual(['note', 'line', 'line', 'line']);
  expect(added.flatMap(({ event }) => (event.frame as WireObject | undefined)?.uuid ?? [])).toEqual([
    'u2',
    'u3',
    'a3',
  ]);
  const last = log.last;
  await addMissedMessages(log, from(transcript));
  expect(log.last).toBe(last);
});

test('a conversation that cannot be read adds nothing', async () => {
  const log = await emptyLog();
  const readMessages = () => Promise.reject(new Error('no'));
  await addMissedMessages(log, { ...from([]), readMessages });
  await addMissedMessages(log, from([]));
  expect(log.last).toBe(0);
});
