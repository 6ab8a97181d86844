import type { Clock } from '../../wire/util/clock.js';
import { CoxswainError } from '../../wire/util/errors.js';
import type { Launch } from './connection/launch.js';
import { type ConversationStart, Life } from './connection/life.js';
import type { HostRole } from './host-role.js';
import { Flow } from './messages/flow.js';
import { type BufferLimits, MessageBuffer } from './messages/message-buffer.js';
import { MessageDispatcher } from './messages/message-dispatcher.js';
import { CliRequestHandlers } from './requests/cli-request-handlers.js';
import { HostRequests } from './requests/host-requests.js';

/** How much may be buffered for readers. */
export interface StreamLimits extends BufferLimits {
  /** How many characters may be buffered over all readers before the session ends. */
  readonly hardCharacters: number;
}

/** The default limits. */
export const DEFAULT_LIMITS: StreamLimits = {
  messages: 2_500,
  characters: 2 * 1024 * 1024,
  hardCharacters: 256 * 1024 * 1024,
};

/** The parts of a {@link HostCore}. */
export interface HostCoreOptions {
  readonly launch: Launch;
  readonly conversation: ConversationStart;
  /** How long the CLI may take to start, and to answer `initialize`. */
  readonly handshakeMs: number;
  /** The default deadline of a request. */
  readonly deadlineMs: number;
  readonly limits?: StreamLimits;
  readonly clock: Clock;
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A pause with nothing drained for this long is lifted, by one more buffer's worth at a time. */
const LIFT_AFTER_MS = 5_000;

/**
 * The base of everything that drives a CLI: the life cycle of its CLIs, requests in both directions, and one stream of
 * messages that never blocks control traffic. Its role decides what to do with it.
 */
export class HostCore {
  readonly messages: MessageDispatcher;
  readonly handlers = new CliRequestHandlers();
  readonly flow: Flow;
  readonly life: Life;
  readonly requests: HostRequests;
  readonly #limits: StreamLimits;

  constructor(role: HostRole, options: HostCoreOptions) {
    const { clock, limits = DEFAULT_LIMITS, deadlineMs } = options;
    this.#limits = limits;
    this.messages = new MessageDispatcher(role);
    this.flow = new Flow({
      clock,
      hardLimit: limits.hardCharacters,
      liftAfterMs: LIFT_AFTER_MS,
      liftStep: limits.characters,
      onOverflow: (buffered) => this.life.abandon(overflow(buffered)),
    });
    const { messages, handlers, flow } = this;
    this.life = new Life(options, { role, messages, handlers, flow });
    this.requests = new HostRequests({ life: this.life, flow, role, deadlineMs, clock });
  }

  /** A buffer for one reader of messages, within the limits; `onDetached` is called when that reader is gone. */
  buffer(onDetached?: (buffer: MessageBuffer) => void): MessageBuffer {
    return new MessageBuffer(this.#limits, this.flow, onDetached);
  }
}

function overflow(buffered: number): CoxswainError {
  const message = `${buffered} characters of unread messages; the session was ended. Read faster, or raise buffer.hardCharacters.`;
  return new CoxswainError('SESSION_OVERFLOW', message);
}
