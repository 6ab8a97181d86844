import type { ContentBlock } from '../../../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import { assistantMessage, CALL_USAGE, messageId } from '../../builders/assistant.js';
import { blockEvents, type ModelEvent, pieces, streamEvent } from '../../builders/stream.js';
import { systemMessage } from '../../builders/system.js';
import type { ReplyBlock } from '../../model/replies.js';
import type { Cli, Scene } from '../cli.js';
import { resolvedModel } from '../cli.js';
import { delay } from '../pipes/timing.js';
import type { OpenMessage, Turn } from '../turns/emulated-turn.js';
import type { SayOptions, SayStep, SendStep, StepOf } from './step-types.js';

/** The model says a text or blocks: one assistant message each, with deltas when partial messages are on. */
export function say(content: StepOf<'say'>['content'], options: SayOptions = {}): StepOf<'say'> {
  return { do: 'say', content, ...options };
}

/** The CLI sends this message; a missing uuid and session id are added. */
export function send(message: WireObject): StepOf<'send'> {
  return { do: 'send', message };
}

/** Plays {@link say}. */
export async function performSay(step: SayStep, { cli, turn }: Scene): Promise<void> {
  for (const block of spokenBlocks(step.content)) await speak(cli, turn, block, step);
}

/** Plays {@link send}. */
export async function performSend(step: SendStep, { cli, turn }: Scene): Promise<void> {
  if (step.message.type === 'result') turn.over = true;
  await cli.send(step.message);
}

/** Sends one block of the model's open message, or of a new one. */
export async function speak(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  options: SayOptions = {},
): Promise<void> {
  const open = await openMessage(cli, turn, block);
  const index = open.blocks;
  open.blocks += 1;
  await streamBlock(cli, turn, block, { index, ...options });
  await finishBlock(cli, turn, block, { index, overrides: options.overrides });
}

/** Sends a complete block, and the end of its events. */
export async function finishBlock(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  { index, overrides }: { readonly index: number; readonly overrides?: WireObject | undefined },
): Promise<void> {
  await sendBlock(cli, turn, block, overrides);
  if (tellsEvents(cli, turn)) await sendEvent(cli, turn, { type: 'content_block_stop', index });
  if (block.type === 'text' && typeof block.text === 'string') turn.lastText = block.text;
}

/** Ends the model's open message: the next block starts a new one. */
export async function closeMessage(cli: Cli, turn: Turn, stopReason: string): Promise<void> {
  if (turn.openMessage === undefined) return;
  if (tellsEvents(cli, turn)) await sendEnd(cli, turn, stopReason);
  turn.openMessage = undefined;
}

async function sendEnd(cli: Cli, turn: Turn, stopReason: string): Promise<void> {
  const delta = { stop_reason: stopReason, stop_sequence: null };
  await sendEvent(cli, turn, {
    type: 'message_delta',
    delta,
    usage: { output_tokens: CALL_USAGE.output_tokens },
  });
  await sendEvent(cli, turn, { type: 'message_stop' });
}

/** The model's open message, or a new one with this id that starts with a block. */
export async function openMessage(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  id = messageId(),
): Promise<OpenMessage> {
  if (turn.openMessage !== undefined) return turn.openMessage;
  const open = { id, blocks: 0 };
  turn.openMessage = open;
  countCall(cli, turn);
  const model = resolvedModel(cli);
  if (tellsEvents(cli, turn)) {
    if (cli.traits.detailed) await sendRequesting(cli, turn);
    const message = {
      id: open.id,
      type: 'message',
      role: 'assistant',
      model,
      // Old versions print the message start late, when it already contains the first block.
      content: cli.traits.startsWithEmptyMessage ? [] : [block],
      stop_reason: null,
      stop_sequence: null,
      usage: CALL_USAGE,
    };
    await sendEvent(cli, turn, { type: 'message_start', message });
  }
  return open;
}

/** Counts a model call for its turn and its session. */
export function countCall(cli: Cli, turn: Turn, count = 1): void {
  const { calls } = cli.state;
  turn.modelCalls += count;
  const model = resolvedModel(cli);
  calls.set(model, (calls.get(model) ?? 0) + count);
}

async function streamBlock(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  { index, chunk = 12, delayMs = 0 }: SayOptions & { readonly index: number },
): Promise<void> {
  if (!tellsEvents(cli, turn) && delayMs === 0) return;
  let said = 0;
  for (const event of blockEvents(block, index, chunk)) {
    if (delayMs > 0) await pauseOrKeep(cli, turn, block, { said, chunk, delayMs });
    await sendEvent(cli, turn, event);
    if (event.type === 'content_block_delta') said += 1;
  }
}

/** Newer CLIs keep the text from before an interrupt, as an `aborted` message. */
async function pauseOrKeep(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  { said, chunk, delayMs }: { readonly said: number; readonly chunk: number; readonly delayMs: number },
): Promise<void> {
  try {
    await delay(cli.clock, delayMs, turn.signal);
  } catch (error) {
    if (cli.traits.keepsAbortedText && said > 0 && typeof block.text === 'string') {
      const text = pieces(block.text, chunk).slice(0, said).join('');
      await sendBlock(cli, turn, { ...block, text }, { aborted: true });
    }
    throw error;
  }
}

/** Sends one block of the model's open message. */
export async function sendBlock(
  cli: Cli,
  turn: Turn,
  block: WireObject,
  overrides: WireObject = {},
): Promise<void> {
  // For an awaited agent, only tools are reported; its text is the result of the call.
  if (turn.agent?.isHeard === false && block.type !== 'tool_use') return;
  const id = turn.openMessage?.id ?? messageId();
  const details = cli.traits.detailed
    ? { ...(await blockDetails(cli, turn, block)), request_id: id.replace('msg_', 'req_') }
    : {};
  const options = {
    id,
    model: resolvedModel(cli),
    parentToolUseId: turn.agent?.toolUseId ?? null,
    ...(cli.traits.startsWithEmptyMessage ? {} : { stopReason: oldStopReason(block) }),
  };
  turn.spoke = true;
  await cli.send(
    assistantMessage(block as ContentBlock, options, {
      ...details,
      session_id: cli.state.sessionId,
      ...overrides,
    }),
  );
}

/** What newer CLIs add to a block, and the estimate that they send before thinking. */
async function blockDetails(cli: Cli, turn: Turn, block: WireObject): Promise<WireObject> {
  const uuids = turn.spoke ? {} : answeredUuids(turn);
  if (block.type === 'thinking') {
    const { user_message_uuid: uuid } = answeredUuids(turn);
    await cli.send(
      systemMessage('thinking_tokens', {
        estimated_tokens: 1,
        estimated_tokens_delta: 1,
        ...(uuid === undefined ? {} : { user_message_uuid: uuid }),
        session_id: cli.state.sessionId,
      }),
    );
    return { ...uuids, thinking_duration_ms: 1, thinking_display: 'updates' };
  }
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(String(block.name)) ?? [];
  if (server === undefined) return uuids;
  const meta = { id: block.id, display_name: tool, server_display_name: server, tool_name: tool };
  return { ...uuids, tool_use_meta: [meta] };
}

/** Old versions print a block late, when its message already has its end. */
function oldStopReason({ type }: WireObject): string | null {
  if (type === 'tool_use') return 'tool_use';
  return type === 'text' ? 'end_turn' : null;
}

/** Which user messages a turn answers, if they have a uuid. */
export function answeredUuids(turn: Turn): WireObject {
  const last = turn.uuids.at(-1);
  return last === undefined ? {} : { user_message_uuid: last, user_message_uuids: turn.uuids };
}

/** Sends a model stream event, if the host wants them. */
export async function sendEvent(cli: Cli, turn: Turn, event: WireObject): Promise<void> {
  if (!tellsEvents(cli, turn)) return;
  const details = cli.traits.detailed
    ? { api_message_id: turn.openMessage?.id, ...startDetails(turn, event) }
    : {};
  await cli.send(streamEvent(event as ModelEvent, { ...details, session_id: cli.state.sessionId }));
}

/** Whether the host gets partial messages; not for agents. */
function tellsEvents({ state }: Cli, { agent }: Turn): boolean {
  return state.partialMessages && agent === undefined;
}

function startDetails(turn: Turn, event: WireObject): WireObject {
  const thinking = { thinking_display: 'updates' };
  if (event.type !== 'message_start') return isThinking(event) ? thinking : {};
  const uuids = turn.spoke ? {} : answeredUuids(turn);
  const owed = Object.keys(uuids).length === 0 ? {} : { owed_rows: [] };
  return { ttft_ms: 20, ...thinking, ...owed, ...uuids };
}

function isThinking({ content_block: block, delta }: WireObject): boolean {
  const kind = isObject(block) ? block.type : isObject(delta) ? delta.type : undefined;
  return kind === 'thinking' || kind === 'thinking_delta';
}

async function sendRequesting(cli: Cli, turn: Turn): Promise<void> {
  const uuids = turn.uuids.length === 0 ? {} : { user_message_uuids: turn.uuids };
  await cli.send(
    systemMessage('status', { status: 'requesting', session_id: cli.state.sessionId, ...uuids }),
  );
}

function spokenBlocks(content: SayStep['content']): readonly WireObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return isList(content) ? content.map(asWire) : [asWire(content)];
}

function isList(content: ReplyBlock | readonly ReplyBlock[]): content is readonly ReplyBlock[] {
  return Array.isArray(content);
}

function asWire(block: ReplyBlock): WireObject {
  return block.type === 'thinking' ? { signature: 'c2lnbmF0dXJl', ...block } : { ...block };
}
