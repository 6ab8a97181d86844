import { checkOptions, either, kind, kinds, type OptionSpec } from '../../../wire/util/option-checks.js';
import { checkReply } from './check-reply.js';
import type { Delay } from './delivery.js';
import type { MakeId } from './message.js';
import type { Reply } from './replies.js';
import type { ModelRequest } from './request.js';
import type { ReplyFunction } from './script.js';

/** The options of `scriptModel`. */
export interface ScriptModelOptions {
  /** The port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
  /** The reply to requests that a CLI makes for itself. */
  readonly sideReply?: Reply | ReplyFunction;
  /** Decides whether a request is one of those. Default: decided by the structure of the request. */
  readonly isSideCall?: (request: ModelRequest) => boolean;
  /** The answer to a token count. Default: estimated from the length of the body. */
  readonly countTokens?: (request: ModelRequest) => number;
  /**
   * Whether replies report the tokens that a prompt cache would read and write, four characters each. Nothing expires.
   * Default: small made-up numbers.
   */
  readonly promptCache?: boolean;
  /** Called with each request once it was read, before it is answered. */
  readonly onRequest?: (request: ModelRequest) => void;
  /** The maximum body size. Default: 32 MiB, as in the API. */
  readonly maxBodyBytes?: number;
  /** How many requests `requests` keeps. */
  readonly maxKeptRequests?: number;
  /** Creates ids of messages and tool calls. Default: a counter with a random part. */
  readonly makeId?: MakeId;
  /** Waits between the pieces of a slow reply. */
  readonly delay?: Delay;
}

/** A running scripted model. */
export interface ScriptedModel extends AsyncDisposable {
  /** The address to use as `ANTHROPIC_BASE_URL`. */
  readonly url: string;
  /** The port that it listens on. */
  readonly port: number;
  /** The latest requests of every kind, oldest first. */
  readonly requests: readonly ModelRequest[];
  /** Whether every step was used and nothing unexpected arrived. */
  readonly finished: boolean;
  /** What arrived and what did not, as a table. */
  report(): string;
  /** Throws `MODEL_SCRIPT_FAILED` with the table, unless the script is finished. */
  assertFinished(): void;
  /** Resolves to the first matching request, including earlier ones; rejects after `timeoutMs` (default: 10 s). */
  waitForRequest(
    fits: (request: ModelRequest) => boolean,
    options?: { readonly timeoutMs?: number },
  ): Promise<ModelRequest>;
  /** Ends all connections immediately; may be called twice. */
  close(): Promise<void>;
}

/**
 * Refuses options with unknown names or wrong types.
 * @throws OptionError naming the option.
 */
export function checkModelOptions(options: ScriptModelOptions): void {
  checkOptions(modelOptionSpecs, options);
  const { sideReply } = options;
  if (sideReply !== undefined && typeof sideReply !== 'function') checkReply(sideReply, 'sideReply');
}

const port = kind(
  'a whole number from 0 to 65535',
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
);
const anObject = kind('a reply', (value) => typeof value === 'object' && value !== null);

const modelOptionSpecs: Readonly<Record<keyof ScriptModelOptions, OptionSpec>> = {
  port: { kind: port, sentence: 'The port on 127.0.0.1. Default: a free one.' },
  sideReply: {
    kind: either(anObject, kinds.callback),
    sentence: 'The reply to requests that a CLI makes for itself.',
  },
  isSideCall: { kind: kinds.callback, sentence: 'Decides which requests a CLI makes for itself.' },
  countTokens: { kind: kinds.callback, sentence: 'The answer to a token count.' },
  promptCache: { kind: kinds.flag, sentence: 'Whether to report what a prompt cache would read.' },
  onRequest: { kind: kinds.callback, sentence: 'Called with each request before it is answered.' },
  maxBodyBytes: { kind: kinds.positiveCount, sentence: 'The maximum size of a request body.' },
  maxKeptRequests: { kind: kinds.positiveCount, sentence: 'How many requests to keep.' },
  makeId: { kind: kinds.callback, sentence: 'Creates ids of messages and tool calls.' },
  delay: { kind: kinds.callback, sentence: 'Waits between the pieces of a slow reply.' },
};
