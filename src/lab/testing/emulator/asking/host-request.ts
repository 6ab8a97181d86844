import { encodeObject } from '../../../../wire/protocol/encode.js';
import type { RequestBody, WireObject } from '../../../../wire/protocol/frames.js';
import type { Cli } from '../cli.js';

/** How answers are sent. */
export interface AnswerWay {
  readonly write: (line: string) => void;
  /** Whether this version adds a code to error texts. */
  readonly namesErrorCodes: boolean;
}

/** A control request from the host. It can be answered as badly as real CLIs do: twice, or never. */
export class HostRequest {
  /** Its id. */
  readonly id: string | undefined;
  /** The body of the request. */
  readonly body: RequestBody;
  readonly #way: AnswerWay;
  #answers = 0;

  constructor(id: string | undefined, body: RequestBody, way: AnswerWay) {
    this.id = id;
    this.body = body;
    this.#way = way;
  }

  /** The name of the request. */
  get subtype(): string {
    return this.body.subtype;
  }

  /** Whether it was answered. */
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
      ...(errorCode === undefined || !this.#way.namesErrorCodes ? {} : { error_code: errorCode }),
      ...beside,
    });
  }

  #answer(subtype: string, rest: WireObject): void {
    this.#answers += 1;
    const id = this.id === undefined ? {} : { request_id: this.id };
    this.#way.write(encodeObject({ type: 'control_response', response: { subtype, ...id, ...rest } }));
  }
}

/** Answers a control request as CLIs do: once, twice or never. */
export type Handler = (request: HostRequest, cli: Cli) => void | Promise<void>;

/** Handlers by subtype. */
export type Handlers = Readonly<Record<string, Handler>>;
