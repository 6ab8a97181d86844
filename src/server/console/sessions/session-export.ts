import type { OpenParams, SessionExport } from '../../../entry/remote/contract.js';
import { storedOptions } from '../../manager/store/stored-options.js';
import type { ConsoleSession } from './console-session.js';

/** What is stored of a session besides its messages, as plain data without secrets. */
export function exportOf({ opened, accepted, keptPrompts }: ConsoleSession): SessionExport {
  return {
    options: { ...launchOptionsOf(opened) },
    ...(opened.defer === undefined ? {} : { defer: opened.defer }),
    waiting: accepted.map(({ uuid, content }) => ({ id: uuid, input: content })),
    prompts: keptPrompts.map(({ id, tool, input }) => ({ id, tool, input })),
  };
}

/** The launch options of a session, from how it was opened. */
function launchOptionsOf({ cwd, model, permissionMode, effort, program }: OpenParams) {
  const { options = {}, initialize = {} } = program ?? {};
  return storedOptions({ effort, ...options, ...initialize, cwd, model, permissionMode } as object);
}
