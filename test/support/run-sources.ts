import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program that imports sources in a process of its own. */
export function runSources(
  program: string,
  ...flags: readonly string[]
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const args = [...flags, '--import', './scripts/lib/sources.mjs', '--input-type=module', '--eval', program];
  return promisify(execFile)(process.execPath, args);
}
