import type { WireObject } from '../../../wire/protocol/frames.js';
import { apiError, drip, text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe, probeOne } from '../probe.js';
import { describeExit, served, unserved } from '../reaction.js';
import { labels, message } from '../reading.js';
import type { Stage } from '../stage.js';
import { type Finding, fail, judge, notReachable } from '../verdict.js';

const slowly = drip(text('one two three four five six seven '), { chunkLength: 4, delayMs: 120 });

/** How a CLI exits when its input ends. */
export const endsOfInput: ProbeGroup = {
  name: 'ends of the input',
  apart: true,
  probes: [
    probeOne('end:idle', async (stage) => {
      await stage.turn();
      return endWith(stage, 0);
    }),
    probeOne('end:after-error', async (stage) => {
      await stage.turn(Array.from({ length: 12 }, () => apiError(400)));
      return endWith(stage, 1);
    }),
    probeOne('end:after-interrupt', async (stage) => {
      const from = await speaking(stage);
      await stage.request('interrupt');
      await stage.result(from);
      return endWith(stage, 0);
    }),
    probe(['end:finishes-turn', 'end:runs-queued'], async (stage) => {
      const from = await speaking(stage);
      await stage.user('next');
      stage.cli.endInput();
      await stage.exit();
      const results = stage.since(from).filter(message('result'));
      return {
        'end:finishes-turn': judge(results[0]?.subtype === 'success', labels(stage.since(from))),
        'end:runs-queued': judge(results.length === 2, `${results.length} results came`),
      };
    }),
  ],
};

/** How a CLI exits on a signal. */
export const signals: ProbeGroup = {
  name: 'signals',
  apart: true,
  probes: [
    probeOne('end:sigterm', async (stage) => {
      if (process.platform === 'win32') return noSignals;
      const from = await speaking(stage);
      const finding = await killWith(stage, 'SIGTERM', 143);
      return stage.since(from).some(message('result')) ? fail('a result came') : finding;
    }),
    probe(['end:sigint', 'end:sigint-result'], async (stage) => {
      if (process.platform === 'win32') return { 'end:sigint': noSignals, 'end:sigint-result': noSignals };
      const from = await speaking(stage);
      const finding = await killWith(stage, 'SIGINT', 0);
      return {
        'end:sigint': finding,
        'end:sigint-result': judge(stage.since(from).some(message('result')), 'none came'),
      };
    }),
    probeOne('end:sighup', async (stage) =>
      process.platform === 'win32' ? noSignals : killWith(stage, 'SIGHUP', 129),
    ),
  ],
};

/** How a CLI exits on request. */
export const askedEnds: ProbeGroup = {
  name: 'asked to end',
  probes: [
    probeOne('end:end-session-in-turn', async (stage) => {
      const from = await speaking(stage);
      const { quietMs } = stage.subject.patience;
      const reaction = await stage.request('end_session', { reason: 'enough' }, quietMs);
      if (reaction.kind !== 'success') return unserved(reaction);
      const exit = await stage.exit();
      const told = stage.since(from).some(message('result'));
      return judge(told && exit?.code === 1, exit === undefined ? 'it keeps running' : describeExit(exit));
    }),
    probeOne('end:end-session', async (stage) => {
      const reaction = await stage.request('end_session', {}, stage.subject.patience.quietMs);
      if (reaction.kind !== 'success') return unserved(reaction);
      const exit = await stage.exit();
      return exit?.code === 0
        ? served(reaction)
        : fail(exit === undefined ? 'it keeps running' : describeExit(exit));
    }),
  ],
};

/** A CLI with an unknown flag. */
export const unknownFlag: ProbeGroup = {
  name: 'unknown flag',
  initialize: false,
  start: { flags: { extraArgs: { cwd: '/' } } },
  probes: [
    probeOne('end:unknown-flag', async (stage) => {
      const exit = await stage.exit(stage.subject.patience.startMs);
      if (exit === undefined) return fail('it keeps running');
      return judge(exit.code === 1 && stage.frames.length === 0, describeExit(exit));
    }),
  ],
};

const noSignals: Finding = notReachable('this system has no such signals');

async function endWith(stage: Stage, code: number): Promise<Finding> {
  stage.cli.endInput();
  const exit = await stage.exit();
  return exit === undefined ? fail('it keeps running') : judge(exit.code === code, describeExit(exit));
}

async function killWith(stage: Stage, signal: NodeJS.Signals, code: number): Promise<Finding> {
  stage.cli.kill(signal);
  const exit = await stage.exit();
  return exit === undefined ? fail('it keeps running') : judge(exit.code === code, describeExit(exit));
}

/** Makes the model answer slowly, and waits until the turn has started. */
async function speaking(stage: Stage): Promise<number> {
  const from = stage.now;
  stage.cli.model.say([slowly]);
  await stage.user('go');
  const isInit = (frame: WireObject) => frame.type === 'system' && frame.subtype === 'init';
  await stage.next(isInit, { from });
  return from;
}
