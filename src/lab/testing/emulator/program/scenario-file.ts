import { readFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import type { Scenario } from '../scenario/scenario.js';
import { readScenario } from './check-scenario.js';

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
