import { onUser, type Scenario, type Steps } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import { act, die, hang } from '../../../src/lab/testing/emulator/steps/life-steps.js';
import { apiFailure, done } from '../../../src/lab/testing/emulator/steps/result-steps.js';
import { say } from '../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../src/lab/testing/emulator/steps/tool-steps.js';
import { deferred } from '../../../src/wire/util/deferred.js';

const always = { times: 'any' } as const;
const whatever = (steps: Steps): Scenario => [onUser(undefined, steps, always)];

/** Begins to answer, and never ends. */
export const endless: Scenario = whatever([say('…'), hang()]);

/** Ends before it answers. */
export const dies: Scenario = whatever([die({ code: 1 })]);

/** Ends in the middle of an answer. */
export const diesInAnswer: Scenario = whatever([say('half'), die({ code: 1 })]);

/** Asks before it answers. */
export const asks: Scenario = whatever([
  useTool('Bash', { command: 'ls' }, { ask: true, result: 'files' }),
  say('listed'),
  done(),
]);

/** Each message costs a dollar; a CLI reports the sum of its turns. */
export const costly: Scenario = [1, 2, 3, 4].map((total) =>
  onUser(undefined, (text) => [say(`echo: ${text}`), done(`echo: ${text}`, { total_cost_usd: total })]),
);

/** A usage limit that ends at a time, in milliseconds since 1970. */
export function limitedUntil(time: number): Scenario {
  const text = `limit reached|${Math.ceil(time / 1000)}`;
  return whatever([apiFailure({ error: 'rate_limit', status: 429, text })]);
}

/** A CLI that answers only when the test lets it, and remembers what it was asked. */
export function gated(): GatedCli {
  const gate = deferred<void>();
  const heard: string[] = [];
  const scenario = whatever((text) => {
    heard.push(text);
    return [say(`echo: ${text}`), act(() => gate.promise), done()];
  });
  return { scenario, heard, open: () => gate.resolve() };
}

/** See {@link gated}. */
export interface GatedCli {
  readonly scenario: Scenario;
  /** The messages whose turn began, in order. */
  readonly heard: readonly string[];
  readonly open: () => void;
}

/** A CLI that answers at once, and remembers what it was asked. */
export function listening(): GatedCli {
  const cli = gated();
  cli.open();
  return cli;
}
