import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';

/** A call with its result. */
export interface FinishedCall {
  readonly id: string;
  readonly name: string;
  /** The content block of the result. */
  readonly block: WireObject;
  /** Whether the client shows command output in terminals. */
  readonly asTerminal: boolean;
}

/** Tools whose call already shows what they did. */
const SHOWN_BY_CALL: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** What a result adds to its call. */
export function finishedCall({ id, name, block, asTerminal }: FinishedCall): ToolCallUpdate {
  const failed = block.is_error === true;
  const update = {
    toolCallId: id,
    status: failed ? 'failed' : 'completed',
    rawOutput: block.content,
  } as const;
  if (name === 'Bash' && asTerminal) return { ...update, _meta: terminalEnd(id, resultText(block), failed) };
  if (!failed && SHOWN_BY_CALL.has(name)) return update;
  const content =
    failed || name === 'Bash' || name === 'Read' ? fenced(resultText(block)) : contentOf(block.content);
  return content.length === 0 ? update : { ...update, content };
}

/** The text of a result. */
export function resultText({ content }: WireObject): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .join('');
}

/** Editors that know these keys show the output as a terminal. */
function terminalEnd(id: string, data: string, failed: boolean) {
  return {
    terminal_output: { terminal_id: id, data },
    terminal_exit: { terminal_id: id, exit_code: failed ? 1 : 0, signal: null },
  };
}

function contentOf(content: unknown): ToolCallContent[] {
  if (typeof content === 'string') return content === '' ? [] : [text(content)];
  return objectsIn(content).flatMap((block) => shown(block));
}

function shown(block: WireObject): ToolCallContent[] {
  if (block.type === 'text' && typeof block.text === 'string') return [text(block.text)];
  const { source } = block;
  if (block.type !== 'image' || !isObject(source) || source.type !== 'base64') return [];
  const image = { type: 'image', data: String(source.data), mimeType: String(source.media_type) } as const;
  return [{ type: 'content', content: image }];
}

/** Raw output, in a fence that is longer than any inside it. */
function fenced(output: string): ToolCallContent[] {
  if (output === '') return [];
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [text(`${fence}\n${output.replace(/\n$/, '')}\n${fence}`)];
}

function text(given: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: given } };
}
