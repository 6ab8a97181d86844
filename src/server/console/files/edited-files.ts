import { relative, resolve, sep } from 'node:path';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { isBelow } from '../commands/folders.js';
import { eventOf, type LogEntry } from '../log/entry.js';

/** How many bytes of files as they were are kept. */
const MOST = 32 * 1024 * 1024;

/** The files of a folder that the tools of a session have edited. */
export interface EditedFiles {
  /** What each held before the first edit, by its path in the folder; null where there was none. */
  readonly originals: ReadonlyMap<string, string | null>;
  /** Whether there was too much to keep it all. */
  readonly cut: boolean;
}

/** Finds in the events of a session what its tools have edited: the CLI tells with each edit what the file held before. */
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
  // Most events are about something else, and need not be read.
  if (!entry.rest.includes('"originalFile"')) return [];
  return resultsIn(eventOf(entry)).flatMap(({ filePath, originalFile }) => {
    const path = pathIn(folder, String(filePath));
    const original = typeof originalFile === 'string' ? originalFile : null;
    return path === undefined ? [] : [{ path, original }];
  });
}

/** Messages of before are as they stand in the transcript, where the same has another name. */
function resultsIn(event: unknown): readonly WireObject[] {
  const frame = isObject(event) && isObject(event.frame) ? event.frame : {};
  const results = [frame.tool_use_result, frame.toolUseResult].filter(isObject);
  return results.filter((result) => typeof result.filePath === 'string' && 'originalFile' in result);
}

/** The path of a file in a folder, as far as names tell; undefined for what is elsewhere. */
export function pathIn(folder: string, path: string): string | undefined {
  const whole = resolve(folder, path);
  if (whole === folder || path.includes('\0') || !isBelow(folder, whole)) return undefined;
  return relative(folder, whole).split(sep).join('/');
}
