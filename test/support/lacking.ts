import { spawnSync } from 'node:child_process';

/** Why a test that needs these programs of the machine cannot run; empty if it can. */
export function lacking(...programs: readonly string[]): string {
  const missing = programs.filter((program) => spawnSync(program, ['--version']).error !== undefined);
  return missing.length === 0 ? '' : `not on this machine: ${missing.join(', ')}`;
}
