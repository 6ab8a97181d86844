import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { surprises } from '../../../../src/lab/conformance/expected.js';
import {
  type RequirementId,
  requirementIds,
} from '../../../../src/lab/conformance/requirements/requirements.js';
import { type Progress, runProbes } from '../../../../src/lab/conformance/run.js';
import type { Exit, StartedCli, Subject } from '../../../../src/lab/conformance/subject.js';
import { emulatedSubject } from '../../../../src/lab/conformance/subjects/emulated.js';
import { isObject } from '../../../../src/wire/protocol/frames.js';
import { streamTransport } from '../../../../src/wire/transport/streams.js';
import type { OnLines } from '../../../../src/wire/transport/transport.js';
import { deferred } from '../../../../src/wire/util/deferred.js';

const hasty = { startMs: 200, answerMs: 40, turnMs: 40, quietMs: 10 };

/** A program that reads lines and writes what a function returns for them. */
function talker(answer: (frame: Readonly<Record<string, unknown>>) => string | undefined): Subject {
  const start = async (): Promise<StartedCli> => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const exited = deferred<Exit>();
    const end = (status: Omit<Exit, 'stderr'>) => {
      stdout.end();
      exited.resolve({ ...status, stderr: '' });
    };
    stdin.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n').filter(Boolean)) {
        const text = answer(readFrame(line));
        if (text !== undefined) stdout.write(`${text}\n`);
      }
    });
    stdin.on('end', () => end({ code: 0, signal: null }));
    return {
      transport: streamTransport(stdout, stdin),
      cwd: '/nowhere',
      version: Promise.resolve(undefined),
      model: { say: () => {}, calls: [] },
      exit: exited.promise,
      write: async (text) => void stdin.write(text),
      endInput: () => void stdin.end(),
      kill: (signal) => end({ code: null, signal }),
      readFile: async () => undefined,
      close: async () => end({ code: 0, signal: null }),
    };
  };
  const makePlace = async () => ({ home: '/nowhere', cwd: '/nowhere', remove: async () => {} });
  return { name: 'talker', patience: hasty, concurrency: 8, makePlace, start };
}

function readFrame(line: string): Readonly<Record<string, unknown>> {
  try {
    const frame: unknown = JSON.parse(line);
    return isObject(frame) ? frame : {};
  } catch {
    return {};
  }
}

function success({ request_id: id }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id } });
}

function isInitialize({ request }: Readonly<Record<string, unknown>>): boolean {
  return isObject(request) && request.subtype === 'initialize';
}

/** The emulator, reporting another version everywhere. */
function renamed(version: string): Subject {
  const subject = emulatedSubject('2.1.326');
  const start: Subject['start'] = async (options) => {
    const cli = await subject.start(options);
    const { transport } = cli;
    const read = transport.start.bind(transport);
    const relabel = (onLines: OnLines): void =>
      read((lines) => onLines(lines.map((line) => line.replaceAll('2.1.326', version))));
    return { ...cli, transport: Object.assign(transport, { start: relabel }) };
  };
  return { ...subject, start };
}

describe.concurrent('runProbes', () => {
  test('returns a verdict on every requirement for a CLI that answers only initialize', async () => {
    const subject = talker((frame) => (isInitialize(frame) ? success(frame) : undefined));
    const { version, verdicts } = await runProbes(subject);
    expect(version).toBeNull();
    expect(verdicts.map(({ id }) => id)).toEqual(requirementIds);
    expect(verdicts.find(({ id }) => id === 'endpoint:get_settings')).toMatchObject({ verdict: 'silent' });
  });

  test('returns a verdict on every requirement for a CLI that answers everything with an ack', async () => {
    const { verdicts } = await runProbes(talker(success));
    expect(verdicts).toHaveLength(requirementIds.length);
    expect(verdicts.find(({ id }) => id === 'envelope:plain-ack')).toEqual({
      id: 'envelope:plain-ack',
      verdict: 'pass',
    });
  });

  test('compares an unknown version with the nearest one below', async () => {
    const only = new Set<RequirementId>(['envelope:unknown-subtype', 'envelope:one-answer']);
    const report = await runProbes(renamed('7.0.0'), { only });
    expect(report.version).toBe('7.0.0');
    expect(report.verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
    expect(surprises(report)).toEqual([]);
  });

  test('refuses a program that does not answer initialize, with the reason', async () => {
    const silent = runProbes(talker(() => undefined));
    await expect(silent).rejects.toMatchObject({ code: 'HANDSHAKE_TIMEOUT' });
  });

  test.each([
    ['before', 'pass'],
    ['after', 'fail'],
  ])('a stopped task that is reported %s the answer, in one piece with it: %s', async (when, verdict) => {
    const told = JSON.stringify({ type: 'system', subtype: 'task_notification', task_id: 'task' });
    const subject = talker((frame) => {
      if (frame.type === 'user')
        return '{"type":"system","subtype":"task_started","task_id":"task"}\n{"type":"result","subtype":"success"}';
      if (!isObject(frame.request) || frame.request.subtype !== 'stop_task') return success(frame);
      return when === 'before' ? `${told}\n${success(frame)}` : `${success(frame)}\n${told}`;
    });
    const { verdicts } = await runProbes(subject, { only: new Set<RequirementId>(['task:stopped']) });
    expect(verdicts).toMatchObject([{ id: 'task:stopped', verdict }]);
  });

  test('reports its progress, up to the total', async () => {
    const seen: Progress[] = [];
    const only = new Set<RequirementId>(['envelope:one-answer', 'mode:bypass']);
    await runProbes(emulatedSubject('2.1.326'), { only, onProgress: (progress) => seen.push(progress) });
    expect(seen.map(({ total }) => total)).toEqual([2, 2]);
    expect(seen.at(-1)?.judged).toBe(2);
  });

  test('stops when aborted, and leaves nothing waiting', async () => {
    const controller = new AbortController();
    const subject = talker((frame) => {
      if (!isInitialize(frame)) controller.abort(new Error('enough'));
      return isInitialize(frame) ? success(frame) : undefined;
    });
    const patient = { ...subject, patience: { ...hasty, answerMs: 60_000, turnMs: 60_000, quietMs: 60_000 } };
    await expect(runProbes(patient, { signal: controller.signal })).rejects.toThrow('enough');
  });
});
