import type { OpenParams, SessionExport } from '../../../entry/remote/contract.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { storedOptions } from '../../manager/store/stored-options.js';
import type { ConsoleSession } from './console-session.js';

/** What is stored of a session besides its messages, as plain data without secrets. */
export function exportOf({ opened, accepted, keptPrompts, ready }: ConsoleSession): SessionExport {
  return {
    options: { ...launchOptionsOf(opened) },
    ...(opened.defer === undefined ? {} : { defer: opened.defer }),
    waiting: accepted.map(({ uuid, content }) => ({ id: uuid, input: content })),
    prompts: (ready === undefined ? keptPrompts : []).map(({ id, tool, input }) => ({ id, tool, input })),
  };
}

/** Unanswered requests from a session's CLI and from earlier ones, unchanged. */
export function pendingOf({ keptPrompts, ready }: ConsoleSession): readonly WireObject[] {
  const open = new Set([...keptPrompts, ...(ready?.prompts.open ?? [])]);
  return [...open].map(({ id, raw }) => ({ type: 'control_request', request_id: id, request: raw }));
}

/** The launch options of a session, from how it was opened. */
function launchOptionsOf({ cwd, model, permissionMode, effort, program }: OpenParams) {
  const { options = {}, initialize = {} } = program ?? {};
  return storedOptions({ effort, ...options, ...initialize, cwd, model, permissionMode } as object);
}
