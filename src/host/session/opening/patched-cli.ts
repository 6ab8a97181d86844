import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';
import { findCli } from '../../cli/program/find-cli.js';
import type { SessionOptions } from '../session-options.js';

/** How the CLI is patched. */
export interface PatchedOptions {
  /** A folder with your own patches, beside those that come with this package. */
  readonly folder?: string | undefined;
  /** Where patched copies are kept. Default: the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

/** The CLI to start: a patched copy of the one that would be started otherwise, where the options ask for it. */
export async function cliToStart({
  patched,
  cli,
  cwd,
}: Pick<SessionOptions, 'patched' | 'cli' | 'cwd'>): Promise<Pick<SessionOptions, 'cli'>> {
  if (patched === undefined || patched === false) return {};
  const search = findCli({ cli, cwd });
  if (search.error !== undefined) throw search.error;
  const { preparePatchedCli } = await import('../../patches/prepare.js');
  const { path } = await preparePatchedCli(search.found.path, patched === true ? {} : patched);
  return { cli: path };
}

/** The requests that patches have added to a CLI, as the file beside it tells; none for a CLI as installed. */
export function servedByPatches(cliPath: string): ReadonlySet<string> {
  try {
    const manifest: unknown = JSON.parse(
      readFileSync(join(dirname(cliPath), 'coxswain-patches.json'), 'utf8'),
    );
    const serves = isObject(manifest) && Array.isArray(manifest.serves) ? manifest.serves : [];
    return new Set(serves.filter((each) => typeof each === 'string'));
  } catch {
    return new Set();
  }
}
