import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { runInBackground } from './builtin/001-run-in-background.js';
import { chromeStatus } from './builtin/002-chrome-status.js';
import { parentUuid } from './builtin/003-parent-uuid.js';
import { mcpReconnect } from './builtin/004-mcp-reconnect.js';
import { mcpTools } from './builtin/005-mcp-tools.js';
import { mcpDisableEnable } from './builtin/006-mcp-disable-enable.js';
import { unknownSubtype } from './builtin/007-unknown-subtype.js';
import type { Patch } from './patch.js';

/** The patches that come with this package. */
export const builtinPatches: readonly Patch[] = [
  runInBackground,
  chromeStatus,
  parentUuid,
  mcpReconnect,
  mcpTools,
  mcpDisableEnable,
  unknownSubtype,
];

const DEFAULT_PRIORITY = 100;

/**
 * Sorts patches: lower priorities first, then by id. Leaves out disabled ones; of several with the same id, the last
 * counts.
 */
export function orderPatches(patches: readonly Patch[]): readonly Patch[] {
  const byId = new Map(patches.map((patch) => [patch.id, patch]));
  return [...byId.values()]
    .filter(({ disabled }) => disabled !== true)
    .sort(
      (a, b) => (a.priority ?? DEFAULT_PRIORITY) - (b.priority ?? DEFAULT_PRIORITY) || (a.id < b.id ? -1 : 1),
    );
}

/**
 * Loads the patches of a folder: every `.js`, `.mjs` and `.cjs` file, each with an export `patch` or a default export.
 * @throws CoxswainError `PATCH_INVALID` naming the file.
 */
export async function loadPatches(folder: string): Promise<readonly Patch[]> {
  const files = (await readFolder(folder)).filter((name) => /\.[cm]?js$/.test(name)).sort();
  return Promise.all(files.map((name) => loadPatch(resolve(folder, name))));
}

async function readFolder(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    throw new CoxswainError('PATCH_INVALID', `The patch folder ${folder} cannot be read.`, { cause });
  }
}

async function loadPatch(file: string): Promise<Patch> {
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(join(file)).href);
  } catch (cause) {
    const why = errorText(cause);
    throw new CoxswainError('PATCH_INVALID', `The patch ${file} cannot be loaded: ${why}`, { cause });
  }
  const exported = property(loaded, 'patch') ?? property(loaded, 'default');
  if (isPatch(exported)) return exported;
  throw new CoxswainError(
    'PATCH_INVALID',
    `${file} exports no patch: it needs an object with id, description and apply(), as \`patch\` or as the default export.`,
  );
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function isPatch(value: unknown): value is Patch {
  const texts = [property(value, 'id'), property(value, 'description')];
  return texts.every((text) => typeof text === 'string') && typeof property(value, 'apply') === 'function';
}
