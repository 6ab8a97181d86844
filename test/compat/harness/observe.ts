import { readArguments } from '../../../src/lab/testing/emulator/program/arguments.js';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { cliArguments } from './emulated-process.js';
import { Normaliser } from './normalise.js';
import type { Launch, Stage } from './stage.js';

/** Everything that is compared of one run. */
export interface Observed {
  readonly messages: readonly unknown[];
  readonly calls: readonly unknown[];
  readonly launches: readonly unknown[];
}

/** The result of a run, in a form that can be compared. */
export function observe(stage: Stage): Observed {
  const normaliser = new Normaliser(stage.folder);
  return {
    messages: normaliser.list(stage.messages),
    calls: normaliser.list(stage.calls),
    launches: normaliser.list(stage.launches.map(describeLaunch)),
  };
}

function describeLaunch({ spawn, process }: Launch): unknown {
  const frames = process.lines.map((line): unknown => JSON.parse(line)).filter(isObject);
  const { flags, words } = readArguments(cliArguments(spawn));
  return {
    command: spawn.command,
    // As the CLI reads them: their order does not matter, nor `--flag=value` versus `--flag value`.
    flags: Object.fromEntries([...flags].map(([flag, values]) => [flag, values.map(parsed)])),
    words,
    cwd: spawn.cwd,
    env: spawn.env,
    said: frames.filter(({ type }) => type !== 'control_response'),
    answered: answers(frames, process.written),
    inputEnds: process.resultsAtEof === undefined ? 'never' : `after ${process.resultsAtEof} results`,
    failures: process.script.failures,
    exit: process.exitCode ?? process.signalCode,
  };
}

/** JSON values are compared by meaning. */
function parsed(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The answer to each request of the CLI, in the order of the requests, because answers may overtake each other. */
function answers(frames: readonly WireObject[], written: readonly WireObject[]): readonly unknown[] {
  const given = frames.filter(({ type }) => type === 'control_response').map(({ response }) => response);
  const to = (id: unknown) => given.filter((each) => isObject(each) && each.request_id === id);
  return written
    .filter(({ type }) => type === 'control_request')
    .map(({ request, request_id: id }) => ({
      to: request,
      ...(isNotification(request) ? { acknowledged: to(id) } : { answers: to(id) }),
    }));
}

/** A JSON-RPC message without an id needs no answer except that of the request that carries it. */
function isNotification(request: unknown): boolean {
  return isObject(request) && isObject(request.message) && request.message.id === undefined;
}
