import type { ErrorCode } from '../../util/error-codes.js';
import { CoxswainError } from '../../util/errors.js';

/** Finds the cause of a system error from starting a process. */
export function spawnError(file: string, cause: unknown): CoxswainError {
  const { code = '', message = String(cause) } = isErrno(cause) ? cause : {};
  const known = code === 'EINVAL' && /\.(?:cmd|bat)$/i.test(file) ? BATCH_FILE : CAUSES[code];
  const [ours, text] = known ?? ['SPAWN_FAILED', `the system says: ${message}`];
  return new CoxswainError(ours, `${file} could not be started: ${text}.`, { cause });
}

/** Node starts none without a shell, which would parse the arguments differently. */
const BATCH_FILE = ['CLI_NOT_EXECUTABLE', 'it is a batch file'] as const;

const CAUSES: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['CLI_NOT_FOUND', 'the file, its interpreter or its loader does not exist'],
  EACCES: ['CLI_NOT_EXECUTABLE', 'this user may not execute it'],
  EPERM: ['CLI_NOT_EXECUTABLE', 'the system does not allow it'],
  EFTYPE: ['CLI_WRONG_PLATFORM', 'it is not a program for this system'],
  ENAMETOOLONG: ['SPAWN_FAILED', 'the arguments are too long for Windows, which takes 32,767 characters'],
  EBUSY: ['SPAWN_FAILED', 'the file is in use, perhaps by an update: try again'],
  ENOEXEC: ['CLI_WRONG_PLATFORM', 'it is not a program for this system'],
  E2BIG: ['SPAWN_FAILED', 'the arguments and the environment together are too long for the system'],
  EAGAIN: ['SPAWN_FAILED', 'the system has reached its process limit'],
  EMFILE: ['SPAWN_FAILED', 'this process has reached its limit of open files'],
  ENFILE: ['SPAWN_FAILED', 'the system has reached its limit of open files'],
  ENOMEM: ['SPAWN_FAILED', 'there is not enough memory'],
  ETXTBSY: ['SPAWN_FAILED', 'the file is being written, perhaps by an update: try again'],
};

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
