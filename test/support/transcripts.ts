import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** An entry, or the text of a line that is not one. */
export type Line = Record<string, unknown> | string;

/** A readable uuid. */
export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** The session of the entries below. */
export const SESSION = id(1);

/** An entry of the conversation. Its time follows from its number. */
export function entry(
  number: number,
  parent: number | null,
  more: Record<string, unknown>,
): Record<string, unknown> {
  return {
    parentUuid: parent === null ? null : id(parent),
    isSidechain: false,
    userType: 'external',
    cwd: '/work/project',
    sessionId: SESSION,
    version: '2.1.17',
    gitBranch: 'main',
    uuid: id(number),
    timestamp: new Date(1_767_225_600_000 + number * 1000).toISOString(),
    ...more,
  };
}

/** A user's text, or tool results. */
export function user(
  number: number,
  parent: number | null,
  content: unknown,
  more = {},
): Record<string, unknown> {
  return entry(number, parent, { type: 'user', message: { role: 'user', content }, ...more });
}

/** An answer of the model. */
export function assistant(
  number: number,
  parent: number | null,
  content: unknown,
  more: { readonly messageId?: string } & Record<string, unknown> = {},
): Record<string, unknown> {
  const { messageId = `msg_${number}`, ...rest } = more;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const message = { id: messageId, type: 'message', role: 'assistant', content: blocks };
  return entry(number, parent, { type: 'assistant', message, ...rest });
}

/** The content of a tool call. */
export function toolUse(toolUseId: string): unknown[] {
  return [{ type: 'tool_use', id: toolUseId, name: 'Bash', input: {} }];
}

/** The content of a tool result. */
export function toolResult(toolUseId: string): unknown[] {
  return [{ type: 'tool_result', tool_use_id: toolUseId, content: 'done' }];
}

/** The boundary of a compaction. */
export function boundary(
  number: number,
  compactMetadata: Record<string, unknown> = {},
): Record<string, unknown> {
  return entry(number, null, { type: 'system', subtype: 'compact_boundary', content: 'x', compactMetadata });
}

/** The text of a transcript. */
export function transcript(lines: readonly Line[]): string {
  return lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
}

/** The name of the folder in which a CLI keeps the conversations of a working folder. */
export function projectOf(folder: string): string {
  return folder.replaceAll(/[^A-Za-z0-9]/g, '-');
}

/** Writes a transcript, or any file of lines, into a projects folder. */
export async function putTranscript(
  configDir: string,
  name: string,
  lines: readonly Line[],
  project = '-work-project',
): Promise<string> {
  const file = join(configDir, 'projects', project, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, transcript(lines));
  return file;
}
