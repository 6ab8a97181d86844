import type { ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import { isObject, objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import type { ToolItem } from '../../wire/protocol/reading/items.js';
import { contentText } from '../../wire/protocol/reading/message-fold.js';

/** Tools whose call already shows what they did. */
const SHOWN_BY_CALL: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** What a result adds to its call; `asTerminal` if the client shows command output in terminals. */
export function finishedCall({ id, name, state, result }: ToolItem, asTerminal: boolean): ToolCallUpdate {
  const failed = state === 'failed';
  const update = { toolCallId: id, status: failed ? 'failed' : 'completed', rawOutput: result } as const;
  if (name === 'Bash' && asTerminal)
    return { ...update, _meta: terminalEnd(id, contentText(result), failed) };
  if (!failed && SHOWN_BY_CALL.has(name)) return update;
  const isRaw = failed || name === 'Bash' || name === 'Read';
  const content = isRaw ? fenced(contentText(result)) : contentOf(result);
  return content.length === 0 ? update : { ...update, content };
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
