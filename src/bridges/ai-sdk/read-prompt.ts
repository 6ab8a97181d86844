import { createHash } from 'node:crypto';
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { ContentBlock } from '../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** The caller's decision about a tool call that may need approval. */
export interface Approval {
  readonly approved: boolean;
  readonly reason: string | undefined;
}

/** One side of a conversation's history: the text, without tool calls. */
export interface PastMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** A parsed prompt of the AI SDK. */
export interface ReadPrompt {
  readonly system: string | undefined;
  /** The history; empty for a new conversation. */
  readonly past: readonly PastMessage[];
  /** The user's new message; empty if the caller only answers calls. */
  readonly input: readonly ContentBlock[];
  /** The same as text, for the history of the next prompt. */
  readonly inputText: string;
  /** Results of the caller's tools, by the id of the call. */
  readonly results: ReadonlyMap<string, LanguageModelV4ToolResultOutput>;
  /** Approvals, by their id. */
  readonly approvals: ReadonlyMap<string, Approval>;
}

/** Splits a prompt: the AI SDK sends the whole conversation with each call, but the CLI needs only what is new. */
export function readPrompt(prompt: LanguageModelV4Prompt): ReadPrompt {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  const said = prompt.filter(({ role }) => role !== 'system');
  const newFrom = said.findLastIndex(({ role }) => role === 'assistant') + 1;
  const fresh = said.slice(newFrom);
  return {
    system: system.length === 0 ? undefined : system.join('\n\n'),
    past: pastOf(said.slice(0, newFrom)),
    input: fresh.flatMap(userBlocks),
    inputText: fresh.map(messageText).join('\n\n'),
    ...answersIn(fresh),
  };
}

/** Identifies a conversation by its history. */
export function fingerprint(past: readonly PastMessage[]): string {
  return createHash('sha256').update(JSON.stringify(past)).digest('base64url');
}

/** Several messages of one side in a row are joined: the AI SDK splits an answer at each tool call. */
function pastOf(messages: readonly LanguageModelV4Message[]): readonly PastMessage[] {
  const past: { role: 'user' | 'assistant'; text: string }[] = [];
  for (const message of messages) {
    if (message.role !== 'user' && message.role !== 'assistant') continue;
    const last = past.at(-1);
    if (last?.role !== message.role) past.push({ role: message.role, text: messageText(message) });
    else last.text += `${message.role === 'user' ? '\n\n' : ''}${messageText(message)}`;
  }
  return past;
}

function messageText(message: LanguageModelV4Message): string {
  if (message.role !== 'user' && message.role !== 'assistant') return '';
  return message.content
    .map((part) => (part.type === 'text' ? part.text : part.type === 'file' ? `[${part.mediaType}]` : ''))
    .join('');
}

function userBlocks(message: LanguageModelV4Message): readonly ContentBlock[] {
  if (message.role !== 'user') return [];
  return message.content.map((part) =>
    part.type === 'text' ? { type: 'text', text: part.text } : fileBlock(part),
  );
}

function answersIn(messages: readonly LanguageModelV4Message[]): Pick<ReadPrompt, 'results' | 'approvals'> {
  const results = new Map<string, LanguageModelV4ToolResultOutput>();
  const approvals = new Map<string, Approval>();
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-result') results.set(part.toolCallId, part.output);
      else approvals.set(part.approvalId, { approved: part.approved, reason: part.reason });
    }
  }
  return { results, approvals };
}

function fileBlock({ mediaType, data, filename }: LanguageModelV4FilePart): ContentBlock {
  if (data.type === 'text')
    return { type: 'text', text: filename === undefined ? data.text : `${filename}:\n${data.text}` };
  if (data.type === 'reference') throw unsupported('references to files of a provider');
  const type = mediaType.startsWith('image/') ? 'image' : 'document';
  if (type === 'document' && mediaType !== 'application/pdf') throw unsupported(`files of type ${mediaType}`);
  const source =
    data.type === 'url'
      ? { type: 'url', url: String(data.url) }
      : {
          type: 'base64',
          media_type: mediaType === 'image/*' ? 'image/png' : mediaType,
          data: base64(data.data),
        };
  return { type, source };
}

function base64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}

function unsupported(what: string): CoxswainError {
  return new CoxswainError('MESSAGE_INVALID', `The Claude CLI does not accept ${what}.`);
}
