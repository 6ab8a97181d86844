import type { WireObject } from '../../../src/wire/protocol/frames.js';
import { toolLabel } from '../../../src/wire/protocol/tool-label.js';
import { text } from '../model/blocks.js';

/** How much of a path is shown: its end says the most. */
const PATH = 60;

/** Tools whose names say little to people. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['AskUserQuestion', 'Question'],
  ['ExitPlanMode', 'Plan'],
  ['TodoWrite', 'To-do list'],
  ['TaskCreate', 'New task'],
  ['TaskUpdate', 'Task'],
  ['TaskList', 'To-do list'],
]);

const PATHS = ['file_path', 'notebook_path', 'path'];

/** A tool call in a few words, with paths as seen from the session's folder. */
export function callLabel(name: string, input: WireObject, cwd: string): string {
  if (name === 'TaskUpdate')
    return [`Task ${String(input.taskId ?? '')}`, text(input.status)?.replace('_', ' ')]
      .filter(Boolean)
      .join(': ');
  const paths = PATHS.flatMap((key) => {
    const path = text(input[key]);
    return path === undefined ? [] : [[key, endOf(pathFrom(cwd, path))]];
  });
  return toolLabel(NAMES.get(name) ?? name, { ...input, ...Object.fromEntries(paths) });
}

/** A path as seen from a folder; unchanged if it is elsewhere. */
export function pathFrom(folder: string, path: string): string {
  const start = folder.replace(/[\\/]?$/, folder.includes('\\') ? '\\' : '/');
  return path.startsWith(start) && path.length > start.length ? path.slice(start.length) : path;
}

function endOf(path: string): string {
  return path.length <= PATH ? path : `…${path.slice(1 - PATH)}`;
}
