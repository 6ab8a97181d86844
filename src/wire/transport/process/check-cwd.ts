import { CoxswainError } from '../../util/errors.js';
import { pathsOf, type System } from './system.js';

/**
 * The absolute working folder for the child.
 * @throws CoxswainError `CWD_INVALID`: the system itself would blame the executable for a missing folder.
 */
export function checkCwd(cwd: string | undefined, system: System): string {
  const path = pathsOf(system.platform).resolve(system.cwd, cwd ?? '.');
  const facts = system.files.stat(path);
  if (facts === undefined)
    throw new CoxswainError('CWD_INVALID', `The working folder ${path} does not exist.`);
  if (facts.kind !== 'folder') {
    throw new CoxswainError('CWD_INVALID', `The working folder ${path} is not a folder.`);
  }
  return path;
}
