import { expect, test } from 'vitest';
import { emulateCli } from '../../../../../../src/lab/testing/emulator/emulate-cli.js';
import {
  type RecordedLine,
  readRecording,
  scenarioFromRecording,
} from '../../../../../../src/lab/testing/emulator/scenario/recorded-scenario.js';
import {
  onUser,
  type Scenario,
  unasked,
} from '../../../../../../src/lab/testing/emulator/scenario/scenario.js';
import { say } from '../../../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { endTask, startTask } from '../../../../../../src/lab/testing/emulator/steps/task-steps.js';
import { useTool } from '../../../../../../src/lab/testing/emulator/steps/tool-steps.js';
import type { WireObject } from '../../../../../../src/wire/protocol/frames.js';
import { EmulatedHost } from '../../../../../support/emulated-host.js';
import { testedVersions } from '../../../../../support/tested-versions.js';

const original: Scenario = [
  onUser('one', [useTool('Bash', { command: 'ls' }, { ask: true, result: 'a b' }), say('first')]),
  onUser('two', [startTask('t'), say('second'), endTask('t')]),
];

test.each(testedVersions)('a recorded session of %s is replayed, message by message', async (version) => {
  const scenario = version === '2.1.326' ? [...original, unasked([say('third')])] : original;
  const first = await converse(emulateCli(scenario, { version }), version);
  const second = await converse(emulateCli(scenarioFromRecording(recorded(first)), { version }), version);
  expect(second.labels).toEqual(first.labels);
  expect(second.frames.map(withoutIds)).toEqual(first.frames.map(withoutIds));
  expect(second.received).toHaveLength(first.received.length);
});

test('a recording is read from its lines, and other entries are left out', () => {
  const text = [
    '{"v":1,"kind":"header","cliVersion":"2.1.17"}',
    '{"v":1,"kind":"line","t":1,"from":"host","frame":{"type":"user"}}',
    '{"v":1,"kind":"end","t":2}',
    '',
  ].join('\n');
  expect(readRecording(text)).toEqual([{ from: 'host', frame: { type: 'user' } }]);
  expect(() => readRecording('{}\nnope')).toThrow('Line 2 of the recording is not JSON.');
});

async function converse(cli: ReturnType<typeof emulateCli>, version: string) {
  const host = new EmulatedHost(cli);
  host.onRequest((body) => ({ behavior: 'allow', updatedInput: body.input }));
  await host.ask('initialize');
  await host.ask('set_permission_mode', { mode: 'default' });
  const results = version === '2.1.326' ? 3 : 2;
  for (const text of ['one', 'two']) {
    await host.user(text, { uuid: `uuid-${text}` });
    await host.next((frame) => frame.type === 'result');
  }
  if (results === 3) await host.next((frame) => frame.type === 'result');
  await host.close();
  cli.assertFinished();
  return {
    labels: host.labels,
    frames: host.frames,
    received: cli.received,
    log: logOf(cli.received, host.frames),
  };
}

/** The host waits for each answer, so its lines are right before their effects. */
function logOf(received: readonly WireObject[], frames: readonly WireObject[]): readonly RecordedLine[] {
  const host = received.filter(({ type }) => type !== 'control_response');
  const log: RecordedLine[] = [];
  const rest = [...frames];
  for (const frame of host) {
    log.push(recordedLine('host', frame));
    const end = frame.type === 'user' ? 'result' : 'control_response';
    const until = rest.findIndex(({ type }) => type === end);
    log.push(...rest.splice(0, until + 1).map((sent) => recordedLine('cli', sent)));
  }
  return [...log, ...rest.map((sent) => recordedLine('cli', sent))];
}

function recordedLine(from: 'host' | 'cli', frame: WireObject): RecordedLine {
  return { from, frame } as RecordedLine;
}

function recorded({ log }: Awaited<ReturnType<typeof converse>>): string {
  return log.map((line, t) => JSON.stringify({ v: 1, kind: 'line', t, ...line })).join('\n');
}

/** A message without the fields that are new in every session. */
function withoutIds({ session_id: _s, uuid: _u, request_id: _r, pid: _p, ...frame }: WireObject): WireObject {
  return frame.type === 'control_response' ? { type: frame.type } : frame;
}
