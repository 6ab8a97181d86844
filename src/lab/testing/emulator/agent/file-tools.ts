import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import type { Cli } from '../cli.js';
import type { ToolOutcome } from '../turns/tool-result.js';

/** How many files a search reads. */
const MAX_FILES = 1_000;

type FileTool = (cli: Cli, input: WireObject) => ToolOutcome;

const read: FileTool = (cli, input) => {
  const lines = readFileSync(pathOf(cli, input), 'utf8').split('\n');
  const from = Math.max(1, Number(input.offset ?? 1));
  const some = lines.slice(from - 1, from - 1 + Number(input.limit ?? 2_000));
  return said(some.map((line, index) => `${from + index}\t${line}`).join('\n'));
};

const write: FileTool = (cli, input) => {
  const path = pathOf(cli, input);
  put(cli, path, String(input.content ?? ''));
  return said(`File created successfully at: ${path}`);
};

const edit: FileTool = (cli, input) => {
  const path = pathOf(cli, input);
  const [before, after] = [String(input.old_string), String(input.new_string)];
  const text = readFileSync(path, 'utf8');
  const count = text.split(before).length - 1;
  if (count === 0) return refused(`The text to replace is not in ${path}`);
  if (count > 1 && input.replace_all !== true)
    return refused(`The text to replace is ${count} times in ${path}`);
  // A function, because `$&` has a special meaning in a replacement string.
  put(
    cli,
    path,
    input.replace_all === true ? text.split(before).join(after) : text.replace(before, () => after),
  );
  return said(`The file ${path} has been updated.`);
};

const glob: FileTool = (cli, input) => {
  const top = resolve(cli.state.cwd, String(input.path ?? '.'));
  const found = filesUnder(top).filter((path) => matchesPattern(relative(top, path), String(input.pattern)));
  return said(found.join('\n') || 'No files found');
};

const grep: FileTool = (cli, input) => {
  const top = resolve(cli.state.cwd, String(input.path ?? '.'));
  const pattern = new RegExp(String(input.pattern), input['-i'] === true ? 'i' : '');
  const hits = filesUnder(top).flatMap((path) => linesWith(pattern, path, relative(cli.state.cwd, path)));
  const shown =
    input.output_mode === 'content'
      ? hits.map(({ line }) => line)
      : [...new Set(hits.map(({ file }) => file))];
  return said(shown.join('\n') || 'No matches found');
};

const FILE_TOOLS: Readonly<Record<string, FileTool>> = {
  Read: read,
  Write: write,
  Edit: edit,
  Glob: glob,
  Grep: grep,
};

/** Whether a tool works on files. */
export function isFileTool(name: string): boolean {
  return Object.hasOwn(FILE_TOOLS, name);
}

/** Runs a file tool; errors become its result. */
export function runFileTool(cli: Cli, name: string, input: WireObject): ToolOutcome {
  try {
    return FILE_TOOLS[name]?.(cli, input) ?? refused(`No such tool available: ${name}`);
  } catch (error) {
    return refused(errorText(error));
  }
}

function pathOf({ state }: Cli, { file_path: path }: WireObject): string {
  return resolve(state.cwd, String(path));
}

function put({ state }: Cli, path: string, text: string): void {
  if (state.checkpointing) state.checkpoints.keep(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function filesUnder(top: string): readonly string[] {
  const entries = readdirSync(top, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((path) => !/[/\\](?:\.git|node_modules)[/\\]/.test(path)).slice(0, MAX_FILES);
}

/** A pattern without a slash is compared with the file name only. */
function matchesPattern(path: string, pattern: string): boolean {
  return globExpression(pattern).test(pattern.includes('/') ? path : (path.split('/').at(-1) ?? path));
}

function globExpression(pattern: string): RegExp {
  const source = pattern.replaceAll(
    /\*\*\/|\*\*|\*|\?|[^*?]+/g,
    (part) => GLOB_PARTS[part] ?? part.replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&'),
  );
  return new RegExp(`^${source}$`);
}

const GLOB_PARTS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
};

function linesWith(pattern: RegExp, path: string, file: string): readonly { file: string; line: string }[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    pattern.test(line) ? [{ file, line: `${file}:${index + 1}:${line}` }] : [],
  );
}

function said(content: string): ToolOutcome {
  return { content, isError: undefined };
}

function refused(problem: string): ToolOutcome {
  return { content: `<tool_use_error>${problem}</tool_use_error>`, isError: true };
}
