import type { EmulatedCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';
import type { TransportEnd } from '../../src/wire/transport/transport.js';

type Wanted = (frame: WireObject) => boolean;

/** A minimal host for tests of the emulator: writes lines and collects frames, without a session. */
export class EmulatedHost {
  readonly frames: WireObject[] = [];
  readonly noise: string[] = [];
  readonly #cli: EmulatedCli;
  #waiting: { readonly wanted: Wanted; readonly found: (frame: WireObject) => void }[] = [];
  #position = 0;
  #answers: (frame: WireObject) => unknown = () => undefined;
  #requests = 0;

  constructor(cli: EmulatedCli) {
    this.#cli = cli;
    cli.transport.start((lines) => {
      for (const line of lines) this.#take(line);
    });
  }

  /** Answers the CLI's requests: the function gets the body and returns the value, or undefined for silence. */
  onRequest(answer: (body: WireObject, frame: WireObject) => unknown): void {
    this.#answers = (frame) => (isObject(frame.request) ? answer(frame.request, frame) : undefined);
  }

  async send(frame: WireObject): Promise<void> {
    await this.#cli.transport.send(JSON.stringify(frame));
  }

  async request(subtype: string, fields: WireObject = {}): Promise<string> {
    this.#requests += 1;
    const id = `host-${this.#requests}`;
    await this.send({ type: 'control_request', request_id: id, request: { subtype, ...fields } });
    return id;
  }

  /** Sends a request and waits for its first answer: the inner `response` object. */
  async ask(subtype: string, fields: WireObject = {}): Promise<WireObject> {
    const id = await this.request(subtype, fields);
    const frame = await this.next((candidate) => answers(candidate, id));
    return isObject(frame.response) ? frame.response : {};
  }

  async answer(frame: WireObject, response: unknown): Promise<void> {
    const inner = { subtype: 'success', request_id: frame.request_id, response };
    await this.send({ type: 'control_response', response: inner });
  }

  async user(text: string, extra: WireObject = {}): Promise<void> {
    await this.send({ type: 'user', message: { role: 'user', content: text }, ...extra });
  }

  /** The next frame of this kind that no earlier call has returned. */
  next(wanted: Wanted | string): Promise<WireObject> {
    const fits: Wanted = typeof wanted === 'string' ? (frame) => label(frame) === wanted : wanted;
    const index = this.frames.findIndex((frame, at) => at >= this.#position && fits(frame));
    const found = this.frames[index];
    if (found !== undefined) {
      this.#position = index + 1;
      return Promise.resolve(found);
    }
    return new Promise((resolve) => {
      this.#waiting.push({ wanted: fits, found: resolve });
    });
  }

  /** The frames so far, as words: `system/init`, `assistant`, `result/success`, `success host-1`. */
  get labels(): readonly string[] {
    return this.frames.map(label);
  }

  close(): Promise<TransportEnd> {
    return this.#cli.transport.close();
  }

  #take(line: string): void {
    let frame: unknown;
    try {
      frame = JSON.parse(line);
    } catch {
      this.noise.push(line);
      return;
    }
    if (!isObject(frame)) return;
    this.frames.push(frame);
    const wait = this.#waiting.find(({ wanted }) => wanted(frame));
    if (wait !== undefined) {
      this.#waiting = this.#waiting.filter((other) => other !== wait);
      this.#position = this.frames.length;
      wait.found(frame);
    }
    if (frame.type !== 'control_request') return;
    const value = this.#answers(frame);
    if (value !== undefined) void this.answer(frame, value).catch(() => {});
  }
}

/** A frame in words. */
export function label(frame: WireObject): string {
  const { type, subtype, request, response, state } = frame;
  if (type === 'control_request' && isObject(request)) return `ask ${request.subtype}`;
  if (type === 'control_response' && isObject(response)) return `${response.subtype} ${response.request_id}`;
  if (type === 'command_lifecycle') return `lifecycle ${state}`;
  return subtype === undefined ? String(type) : `${type}/${subtype}`;
}

function answers({ type, response }: WireObject, id: string): boolean {
  return type === 'control_response' && isObject(response) && response.request_id === id;
}
