import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { checkKeys, checkNumber, checkObject, checkText, wrongValue } from '../../model/checks.js';
import type { Cue, Scenario, Times } from '../scenario/scenario.js';
import type { Step } from '../steps/step-types.js';
import { readStep } from './read-step.js';

/**
 * Reads a scenario that was written as JSON.
 * @throws CoxswainError `OPTION_INVALID` naming the place, such as `scenario[2].steps[0].name`.
 */
export function readScenario(value: unknown, name = 'scenario'): Scenario {
  if (!Array.isArray(value)) throw wrongValue(name, 'a list of cues', value);
  return value.map((cue, index) => readCue(cue, `${name}[${index}]`));
}

function readCue(value: unknown, name: string): Cue {
  const cue = checkObject(value, name, 'a cue such as {"on":"user","steps":[]}');
  const steps = readSteps(cue.steps, `${name}.steps`);
  switch (cue.on) {
    case 'user':
      checkKeys(cue, name, ['on', 'match', 'times', 'steps']);
      return { on: 'user', ...readMatch(cue.match, `${name}.match`), ...readTimes(cue, name), steps };
    case 'request': {
      checkKeys(cue, name, ['on', 'subtype', 'match', 'times', 'steps']);
      const match =
        cue.match === undefined ? {} : { match: checkObject(cue.match, `${name}.match`, 'an object') };
      const subtype = checkText(cue.subtype, `${name}.subtype`);
      return { on: 'request', subtype, ...match, ...readTimes(cue, name), steps };
    }
    case 'unasked':
    case 'start':
      checkKeys(cue, name, ['on', 'steps']);
      return { on: cue.on, steps };
    default:
      throw wrongValue(`${name}.on`, '"user", "request", "unasked" or "start"', cue.on);
  }
}

function readSteps(value: unknown, name: string): readonly Step[] {
  if (!Array.isArray(value)) throw wrongValue(name, 'a list of steps', value);
  return value.map((step, index) => readStep(step, `${name}[${index}]`));
}

function readMatch(value: unknown, name: string): { match?: string | { pattern: string; flags?: string } } {
  if (value === undefined) return {};
  if (!isObject(value)) return { match: checkText(value, name) };
  checkKeys(value, name, ['pattern', 'flags']);
  const pattern = checkText(value.pattern, `${name}.pattern`);
  if (value.flags === undefined) return { match: { pattern } };
  return { match: { pattern, flags: checkText(value.flags, `${name}.flags`) } };
}

function readTimes({ times }: WireObject, name: string): Times {
  if (times === undefined) return {};
  if (times === 'any') return { times };
  checkNumber(times, 1, `${name}.times`, ' or "any"');
  return { times: Number(times) };
}
