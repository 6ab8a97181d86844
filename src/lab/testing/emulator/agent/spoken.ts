import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';
import { closeMessage, finishBlock, openMessage, sendBlock, sendEvent } from '../steps/speech-steps.js';
import type { Turn } from '../turns/emulated-turn.js';

/** The model's answer to one call. */
export interface Spoken {
  readonly blocks: readonly WireObject[];
  readonly stopReason: string;
}

/** Assembles the events of an answer, without reporting them to the host. */
export async function listen(events: AsyncIterable<WireObject>): Promise<Spoken> {
  const answer = new Answer();
  for await (const event of events) answer.take(event);
  return answer;
}

/** Assembles the events of an answer, and reports each to the host as it arrives. */
export async function repeat(cli: Cli, turn: Turn, events: AsyncIterable<WireObject>): Promise<Spoken> {
  const answer = new Answer();
  let index = 0;
  try {
    for await (const event of events) {
      const block = answer.take(event);
      if (block === undefined) continue;
      if (event.type === 'content_block_start') {
        const open = await openMessage(cli, turn, block, answer.id);
        index = open.blocks;
        open.blocks += 1;
      }
      if (event.type === 'content_block_stop') await finishBlock(cli, turn, block, { index });
      else await sendEvent(cli, turn, { ...event, index });
    }
  } catch (error) {
    const { unfinished } = answer;
    // Newer CLIs keep the text from before an interrupt.
    if (
      turn.interrupted &&
      cli.traits.keepsAbortedText &&
      unfinished?.type === 'text' &&
      unfinished.text !== ''
    )
      await sendBlock(cli, turn, unfinished, { aborted: true });
    throw error;
  }
  await closeMessage(cli, turn, answer.stopReason);
  return answer;
}

/** An answer that grows event by event. */
class Answer implements Spoken {
  readonly blocks: WireObject[] = [];
  id: string | undefined;
  stopReason = 'end_turn';
  unfinished: Record<string, unknown> | undefined;
  #json = '';

  /** Takes one event; returns its block. */
  take({ type, message, content_block: begun, delta }: WireObject): WireObject | undefined {
    if (type === 'message_start' && isObject(message)) this.id = String(message.id);
    if (type === 'message_delta' && isObject(delta)) this.stopReason = String(delta.stop_reason);
    if (type === 'content_block_start' && isObject(begun)) {
      this.unfinished = { ...begun };
      this.#json = '';
      return this.unfinished;
    }
    const block = this.unfinished;
    if (type === 'content_block_delta' && isObject(delta) && block !== undefined) this.#grow(block, delta);
    if (type === 'content_block_stop' && block !== undefined) this.#finish(block);
    return type === 'content_block_delta' || type === 'content_block_stop' ? block : undefined;
  }

  #grow(block: Record<string, unknown>, { type, partial_json: json, ...grown }: WireObject): void {
    if (typeof json === 'string') this.#json += json;
    for (const [key, piece] of Object.entries(grown)) block[key] = `${block[key] ?? ''}${piece}`;
    if (type === 'signature_delta') block.signature = grown.signature;
  }

  #finish(block: Record<string, unknown>): void {
    if (this.#json !== '') block.input = JSON.parse(this.#json);
    this.blocks.push(block);
    this.unfinished = undefined;
  }
}
