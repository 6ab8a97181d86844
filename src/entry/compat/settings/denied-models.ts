import type { DeniedModelsMatch } from '../types/setting-types.js';

const FAMILIES: ReadonlySet<string> = new Set(['sonnet', 'opus', 'haiku', 'fable']);

/**
 * Returns which models a managed list denies. It only compares names, so do not use it to grant access. Never throws.
 */
export async function matchDeniedModels(
  models: readonly string[],
  deniedModels: readonly string[] | undefined,
): Promise<DeniedModelsMatch> {
  const warnings: string[] = [];
  const entries = texts(deniedModels ?? [], 'deniedModels', warnings).map(normal);
  const usable = entries.filter((entry) => isUsable(entry, warnings));
  const given: unknown = models;
  if (!Array.isArray(given)) {
    warnings.push('"models" is not a list: nothing was compared.');
    return { denied: [], warnings };
  }
  texts(given, 'models', warnings);
  const denied = given.map(
    (model) => typeof model === 'string' && usable.some((entry) => denies(entry, normal(model))),
  );
  return { denied, warnings };
}

function texts(list: unknown, name: string, warnings: string[]): string[] {
  if (!Array.isArray(list)) {
    warnings.push(`"${name}" is not a list of model names and was ignored.`);
    return [];
  }
  for (const each of list)
    if (typeof each !== 'string')
      warnings.push(`"${name}" has an entry that is a ${typeof each}; it was ignored.`);
  return list.filter((each) => typeof each === 'string');
}

function isUsable(entry: string, warnings: string[]): boolean {
  if (entry === 'default') {
    warnings.push('"default" was ignored: it refers to different models over time.');
    return false;
  }
  if (!FAMILIES.has(entry) && !isVersioned(entry))
    warnings.push(`"${entry}" denies only a model of exactly this name.`);
  return true;
}

function denies(entry: string, model: string): boolean {
  if (entry === model) return true;
  if (FAMILIES.has(entry)) return isVersioned(model) && model.split('-').includes(entry);
  return isVersioned(entry) && model.startsWith(`${entry}-`);
}

function isVersioned(name: string): boolean {
  return /^claude-[a-z\d-]*\d[a-z\d-]*$/.test(name);
}

/** A name without case, provider and context size: `us.anthropic.claude-x-v1:0`, `claude-x[1m]`. */
function normal(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\[1m\]$/, '')
    .replace(/^.*[./](?=claude-)/, '')
    .replace(/-v\d+(:\d+)?$/, '')
    .replace('@', '-');
}
