import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import { checkKeys, checkNumber, checkObject, checkText, wrongValue } from '../../model/checks.js';
import type { Cue, Scenario, Times } from '../scenario/scenario.js';
import type { Step } from '../steps/step-types.js';
import { readStep } from './read-step.js';

/**
 * Loads a scenario: a list in a JSON file, or the export `scenario` (or the default one) of a module.
 * @throws CoxswainError `OPTION_INVALID` when the file cannot be read or holds no scenario.
 */
export async function loadScenario(path: string, cwd: string): Promise<Scenario> {
  const file = resolve(cwd, path);
  return extname(file) === '.json' ? readScenario(await readJson(file)) : loadModule(file);
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function loadModule(file: string): Promise<Scenario> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    throw unreadable(file, error);
  }
  const found = isObject(loaded) ? (loaded.scenario ?? loaded.default) : undefined;
  if (isScenario(found)) return found;
  throw new CoxswainError(
    'OPTION_INVALID',
    `The scenario ${file} exports no scenario: export a list of cues as \`scenario\` or as the default export.`,
  );
}

/** A module was written with our own functions, so its cues are used unchanged. */
function isScenario(value: unknown): value is Scenario {
  return Array.isArray(value) && value.every((cue) => isObject(cue) && typeof cue.on === 'string');
}

function unreadable(file: string, error: unknown): CoxswainError {
  const why = errorText(error);
  const hint = extname(file) === '.ts' ? ' TypeScript needs a Node that strips types: 22.18 or later.' : '';
  return new CoxswainError('OPTION_INVALID', `The scenario ${file} cannot be read: ${why}.${hint}`, {
    cause: error,
  });
}

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
