import { encodeObject } from '../../../../wire/protocol/encode.js';
import type { RequestBody, WireObject } from '../../../../wire/protocol/frames.js';

/** A control request of the host. It can be answered as badly as real CLIs do: twice, or never. */
export class HostRequest {
  readonly id: string | undefined;
  readonly body: RequestBody;
  readonly #write: (line: string) => void;
  #answers = 0;

  constructor(id: string | undefined, body: RequestBody, write: (line: string) => void) {
    this.id = id;
    this.body = body;
    this.#write = write;
  }

  get subtype(): string {
    return this.body.subtype;
  }

  get answered(): boolean {
    return this.#answers > 0;
  }

  /** Answers with success; without a value it is a plain ack with no `response` key. */
  succeed(value?: unknown, beside: WireObject = {}): void {
    this.#answer('success', { ...(value === undefined ? {} : { response: value }), ...beside });
  }

  /** Answers with an error. */
  refuse(error: string, errorCode?: string, beside: WireObject = {}): void {
    this.#answer('error', {
      error,
      ...(errorCode === undefined ? {} : { error_code: errorCode }),
      ...beside,
    });
  }

  #answer(subtype: string, rest: WireObject): void {
    this.#answers += 1;
    const id = this.id === undefined ? {} : { request_id: this.id };
    this.#write(encodeObject({ type: 'control_response', response: { subtype, ...id, ...rest } }));
  }
}
