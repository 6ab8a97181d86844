import { dirname, join } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';
import { readText, type System } from '../../../wire/transport/process/system.js';
import type { Diagnostic } from '../../../wire/util/diagnostics.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import { findCli } from '../../cli/program/find-cli.js';
import type { PatchPlan } from '../../patches/prepare.js';
import type { SessionOptions } from '../session-options.js';

/** How the CLI is patched. */
export interface PatchedOptions {
  /** A folder with your own patches, in addition to the built-in ones. */
  readonly folder?: string | undefined;
  /** The folder for patched copies. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** The CLI to start, and the diagnostics about it. */
interface CliToStart {
  readonly given: Pick<SessionOptions, 'cli'>;
  readonly told: readonly Diagnostic[];
}

/**
 * The CLI to start: a patched copy if the options request it.
 * @throws CoxswainError `CLI_NOT_PATCHABLE` where no patch fits, unless they were only to be tried.
 */
export async function cliToStart({
  patched,
  cli,
  cwd,
  spawner,
}: Pick<SessionOptions, 'patched' | 'cli' | 'cwd' | 'spawner'>): Promise<CliToStart> {
  if (patched === undefined || patched === false) return { given: {}, told: [] };
  if (spawner?.hasOwnPrograms === true)
    throw new OptionError(
      'patched',
      `Option "patched" needs a CLI of this machine, and ${spawner.name} has its own.`,
    );
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const { preparePatchedCli } = await import('../../patches/prepare.js');
  try {
    const plan = await preparePatchedCli(search.found.path, isObject(patched) ? patched : {});
    if (plan.reports.every(({ success }) => !success)) throw nothingFits(plan);
    return { given: { cli: plan.path }, told: [patchesTold(plan)] };
  } catch (error) {
    const isOptional =
      patched === 'try' && error instanceof CoxswainError && error.code === 'CLI_NOT_PATCHABLE';
    if (!isOptional) throw error;
    const message = `The CLI is started unpatched: ${error.message}`;
    return { given: {}, told: [{ code: 'PATCHES_APPLIED', message, applied: [], missing: [] }] };
  }
}

function patchesTold({ reports, version }: PatchPlan): Diagnostic {
  const applied = reports.filter(({ success }) => success).map(({ id }) => id);
  const missing = reports
    .filter(({ success }) => !success)
    .map(({ id, details }) => ({ id, why: details.join('; ') }));
  const without =
    missing.length === 0 ? '' : ` These did not fit: ${missing.map(({ id }) => id).join(', ')}.`;
  const message = `A copy of CLI ${version ?? 'of unknown version'} runs with these patches: ${applied.join(', ')}.${without}`;
  return { code: 'PATCHES_APPLIED', message, applied, missing };
}

function nothingFits({ version, reports }: PatchPlan): CoxswainError {
  const why = reports.map(({ id, details }) => `${id}: ${details.join('; ')}`).join('. ');
  return new CoxswainError(
    'CLI_NOT_PATCHABLE',
    `No patch fits CLI ${version ?? 'of unknown version'}. ${why}. Leave "patched" out, or use 'try' to start it unpatched.`,
  );
}

/** The requests that patches added to a CLI, from the file next to it; none for a CLI as installed. */
export function servedByPatches(cliPath: string, { files }: System): ReadonlySet<string> {
  const text = readText(files, join(dirname(cliPath), 'coxswain-patches.json'));
  if (text === undefined) return new Set();
  try {
    const manifest: unknown = JSON.parse(text);
    const serves = isObject(manifest) && Array.isArray(manifest.serves) ? manifest.serves : [];
    return new Set(serves.filter((each) => typeof each === 'string'));
  } catch {
    return new Set();
  }
}
