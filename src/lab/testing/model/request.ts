import type { IncomingHttpHeaders } from 'node:http';
import { blocksIn, isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import { type PromptPart, promptOf } from './prompt.js';

/** The kind of a request; only `main` requests are steps of a script. */
export type RequestKind = 'main' | 'side' | 'count-tokens' | 'other';

/** The result of a tool call, as the CLI sent it. */
export interface ToolResult {
  /** The id of the call. */
  readonly toolUseId: string;
  /** Its text. */
  readonly text: string;
  /** Whether the tool failed. */
  readonly isError: boolean;
}

/** One request that reached the model, without secrets and without the CLI's own prompts. */
export interface ModelRequest {
  /** 1 for the first request of any kind. */
  readonly number: number;
  /** The kind of request. */
  readonly kind: RequestKind;
  /** The HTTP method. */
  readonly method: string;
  /** The path. */
  readonly path: string;
  /** Its headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The requested model. */
  readonly model: string | undefined;
  /** Whether it requests a stream. */
  readonly stream: boolean;
  /** The maximum number of output tokens. */
  readonly maxTokens: number | undefined;
  /** The CLI's session id, if the request has one. */
  readonly sessionId: string | undefined;
  /** The tools that it offers. */
  readonly toolNames: readonly string[];
  /** Tools, system prompt and messages as the prompt cache sees them. */
  readonly prompt: readonly PromptPart[];
  /** Characters of system prompt. */
  readonly systemLength: number;
  /** The conversation. */
  readonly messages: readonly WireObject[];
  /** Other fields of the body: `thinking`, `temperature`, `output_config` … */
  readonly parameters: WireObject;
  /** The plain text of the last user message, without reminders. */
  readonly userText: string;
  /** The tool results in the last user message. */
  readonly toolResults: readonly ToolResult[];
  /** Bytes of the body. */
  readonly size: number;
}

/** What the server knows about a request once its body was read. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: WireObject;
  readonly size: number;
}

/** A request before its kind is known. */
export type UnsortedRequest = Omit<ModelRequest, 'kind' | 'number'>;

/** Extracts what scripts and tests need from a request. Never throws, whatever the body contains. */
export function readRequest({ method, path, headers, body, size }: RawRequest): UnsortedRequest {
  const { model, messages, system, tools, metadata, stream, max_tokens: maxTokens, ...parameters } = body;
  const list = objectsIn(messages);
  // Newer CLIs put messages of role "system" after the user's, so the last message is not always the user's.
  const last = list.findLast((message) => message.role === 'user');
  const blocks = blocksIn(last?.content);
  return {
    method,
    path,
    headers: withoutSecrets(headers),
    model: typeof model === 'string' ? model : undefined,
    stream: stream === true,
    maxTokens: typeof maxTokens === 'number' ? maxTokens : undefined,
    sessionId: sessionOf(metadata),
    toolNames: objectsIn(tools).map(nameOf),
    prompt: promptOf(body),
    systemLength: joinedText(system, '').length,
    messages: list,
    parameters,
    userText: userTextOf(blocks),
    toolResults: blocks.filter((block) => block.type === 'tool_result').map(toolResultOf),
    size,
  };
}

// CLIs wrap what they add in this tag; a message that consists only of reminders keeps them.
const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>\s*/g;

function userTextOf(blocks: readonly WireObject[]): string {
  const texts = blocks.flatMap((block) => (typeof block.text === 'string' ? [block.text] : []));
  const said = texts.map((text) => text.replaceAll(REMINDER, '')).filter((text) => text !== '');
  return (said.length > 0 ? said : texts).join('\n');
}

function toolResultOf(block: WireObject): ToolResult {
  return {
    toolUseId: typeof block.tool_use_id === 'string' ? block.tool_use_id : '',
    text: joinedText(block.content, '\n'),
    isError: block.is_error === true,
  };
}

function joinedText(content: unknown, separator: string): string {
  const texts = blocksIn(content).flatMap((block) => (typeof block.text === 'string' ? [block.text] : []));
  return texts.join(separator);
}

function nameOf(tool: WireObject): string {
  const { name, type } = tool;
  if (typeof name === 'string') return name;
  return typeof type === 'string' ? type : '';
}

/** Old CLIs end `metadata.user_id` with `_session_<id>`, new ones write JSON into it. */
function sessionOf(metadata: unknown): string | undefined {
  if (!isObject(metadata) || typeof metadata.user_id !== 'string') return undefined;
  const old = /_session_([0-9a-f-]{36})$/.exec(metadata.user_id)?.[1];
  if (old !== undefined) return old;
  try {
    const parsed: unknown = JSON.parse(metadata.user_id);
    return isObject(parsed) && typeof parsed.session_id === 'string' ? parsed.session_id : undefined;
  } catch {
    return undefined;
  }
}

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'x-api-key', 'cookie']);

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

/** Requests for so few tokens are probes: is the key valid, is there quota. */
const TINY_MAX_TOKENS = 16;

/** The model family that CLIs use for helper calls: titles, command prefixes, paths in output. */
const SMALL_MODEL = /haiku/i;

/**
 * Whether a CLI made this request for itself and not for the conversation, judged by its structure: a conversation
 * offers tools, while probes, helper calls and most warm-ups of sub-agents offer none. @param isAwaited whether a step
 * waits for exactly this text, which suggests a conversation without tools.
 */
export function isSideCall(request: ModelRequest, isAwaited: () => boolean = () => false): boolean {
  if (request.maxTokens !== undefined && request.maxTokens <= TINY_MAX_TOKENS) return true;
  if (isWarmUp(request)) return true;
  if (request.toolNames.length > 0) return false;
  // Without a session id this is not a CLI but another client, which makes no side calls.
  if (request.sessionId === undefined) return false;
  return SMALL_MODEL.test(request.model ?? '') || !isAwaited();
}

/** Some old CLIs warm up sub-agents with the sub-agents' tools. */
function isWarmUp({ messages, userText }: ModelRequest): boolean {
  return messages.length === 1 && userText === 'Warmup';
}
