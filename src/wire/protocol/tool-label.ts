import { plainLine } from '../util/plain.js';
import type { WireObject } from './frames.js';

/** A tool call in a few words: `Bash: ls -la`. */
export function toolLabel(tool: string, input: WireObject): string {
  const detail = TELLING_KEYS.map((key) => input[key]).find((value) => typeof value === 'string');
  const name = plainLine(tool, 60);
  return typeof detail === 'string' ? `${name}: ${plainLine(detail, 80)}` : name;
}

/** The most telling input keys of the CLI's tools; the first one found is shown. */
const TELLING_KEYS = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'url',
  'query',
  'path',
  'skill',
  'subject',
  'description',
];
