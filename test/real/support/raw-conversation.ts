import { encodeObject, encodeRequest, encodeSuccess } from '../../../src/wire/protocol/encode.js';
import { decodeLine, type RequestFrame, type WireObject } from '../../../src/wire/protocol/frames.js';
import type { Transport, TransportEnd } from '../../../src/wire/transport/transport.js';

/** Answers a control request of the CLI with a success value; undefined leaves it unanswered. */
export type Answer = (request: RequestFrame) => unknown;

/** The result of one turn. */
export interface RawTurn {
  /** Every object the CLI sent from the prompt to the result, control frames included. */
  readonly frames: readonly WireObject[];
  readonly result: WireObject;
}

/** Drives a CLI with raw protocol lines, without a session. Every wait ends: with its result, the end, or a timeout. */
export class RawConversation {
  readonly frames: WireObject[] = [];
  answer: Answer = allowAll;
  readonly #transport: Transport;
  readonly #watchers = new Set<() => void>();
  #end: TransportEnd | undefined;
  #requests = 0;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.start((lines) => {
      for (const line of lines) this.#receive(line);
      this.#wake();
    });
    void transport.ended.then((end) => {
      this.#end = end;
      this.#wake();
    });
  }

  /** Sends a user message and collects everything until its result. */
  async turn(text: string): Promise<RawTurn> {
    const from = this.frames.length;
    await this.say(text);
    const result = await this.waitFor((frame) => frame.type === 'result', from);
    return { frames: this.frames.slice(from), result };
  }

  /** Sends a user message. */
  say(text: string): Promise<void> {
    return this.#transport.send(encodeObject({ type: 'user', message: { role: 'user', content: text } }));
  }

  /** Sends a control request and resolves with the envelope of its answer. */
  async request(subtype: string, fields: WireObject = {}): Promise<WireObject> {
    this.#requests += 1;
    const id = `raw_${this.#requests}`;
    await this.#transport.send(encodeRequest(id, { subtype, ...fields }));
    const frame = await this.waitFor((each) => answerId(each) === id);
    return frame.response as WireObject;
  }

  /** Answers a request of the CLI later than `answer` could. */
  succeed(id: string, value: unknown): Promise<void> {
    return this.#transport.send(encodeSuccess(id, value));
  }

  /** Resolves with the first matching frame, from a position in `frames`. */
  async waitFor(fits: (frame: WireObject) => boolean, from = 0, timeoutMs = 60_000): Promise<WireObject> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = this.frames.slice(from).find(fits);
      if (found !== undefined) return found;
      if (this.#end !== undefined) throw new Error(`the CLI ended: ${JSON.stringify(this.#end)}`);
      if (Date.now() >= deadline)
        throw new Error(`not seen in ${timeoutMs} ms; last frames: ${this.#tail()}`);
      await this.#change(deadline - Date.now());
    }
  }

  #receive(line: string): void {
    const frame = decodeLine(line);
    if (frame.kind === 'noise') throw new Error(`noise from the CLI: ${line}`);
    this.frames.push(JSON.parse(line) as WireObject);
    if (frame.kind !== 'request') return;
    const value = this.answer(frame);
    if (value !== undefined) void this.#transport.send(encodeSuccess(frame.id, value));
  }

  #wake(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#watchers.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#watchers.add(done);
    });
  }

  #tail(): string {
    return this.frames
      .slice(-3)
      .map((frame) => JSON.stringify(frame).slice(0, 300))
      .join('\n');
  }
}

/** Allows every tool call with its own input, and lets hooks pass. */
export function allowAll({ body }: RequestFrame): unknown {
  return body.subtype === 'can_use_tool' ? { behavior: 'allow', updatedInput: body.input } : {};
}

/** The content blocks of all messages of one type, in order. */
export function blocksOf(frames: readonly WireObject[], type: 'assistant' | 'user'): readonly WireObject[] {
  const messages = frames.filter((frame) => frame.type === type);
  return messages.flatMap((frame) => {
    const { content } = frame.message as WireObject;
    return Array.isArray(content) ? (content as WireObject[]) : [{ type: 'text', text: content }];
  });
}

function answerId(frame: WireObject): unknown {
  return frame.type === 'control_response' ? (frame.response as WireObject).request_id : undefined;
}
