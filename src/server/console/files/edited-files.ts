import { relative, resolve, sep } from 'node:path';
import { isBelow } from '../../../wire/files/is-below.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { eventOf, type LogEntry } from '../log/entry.js';

/** How many bytes of original files to keep. */
const MOST = 32 * 1024 * 1024;

/** The files in a folder that a session's tools have edited. */
export interface EditedFiles {
  /** What each file contained before the first edit, by its path in the folder; null if it did not exist. */
  readonly originals: ReadonlyMap<string, string | null>;
  /** Whether there was too much to keep everything. */
  readonly cut: boolean;
}

/** Finds a session's edits in its events: with each edit, the CLI reports what the file contained before. */
export async function editedFiles(events: AsyncIterable<LogEntry>, folder: string): Promise<EditedFiles> {
  const originals = new Map<string, string | null>();
  let kept = 0;
  for await (const entry of events) {
    for (const { path, original } of editsIn(entry, folder)) {
      if (originals.has(path)) continue;
      kept += original?.length ?? 0;
      if (kept <= MOST) originals.set(path, original);
    }
  }
  return { originals, cut: kept > MOST };
}

function editsIn(entry: LogEntry, folder: string) {
  // Most events are about something else and need not be parsed.
  if (!entry.rest.includes('"originalFile"')) return [];
  return resultsIn(eventOf(entry)).flatMap(({ filePath, originalFile }) => {
    const path = pathIn(folder, String(filePath));
    const original = typeof originalFile === 'string' ? originalFile : null;
    return path === undefined ? [] : [{ path, original }];
  });
}

/** Earlier messages come from the transcript, where the same field has another name. */
function resultsIn(event: unknown): readonly WireObject[] {
  const frame = isObject(event) && isObject(event.frame) ? event.frame : {};
  const results = [frame.tool_use_result, frame.toolUseResult].filter(isObject);
  return results.filter((result) => typeof result.filePath === 'string' && 'originalFile' in result);
}

/** A file's path in a folder, judged by name only; undefined if it is elsewhere. */
export function pathIn(folder: string, path: string): string | undefined {
  const whole = resolve(folder, path);
  if (whole === folder || path.includes('\0') || !isBelow(folder, whole)) return undefined;
  return relative(folder, whole).split(sep).join('/');
}
