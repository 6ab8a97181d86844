import type { ContentBlock } from '../../../wire/protocol/catalog/shapes/model-api-shapes.schemas.js';
import type { Described, HostMessage } from '../../../wire/protocol/catalog/types.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { RecentMap } from '../../../wire/util/maps.js';

/** A complete user message as on the wire, for fields that `send` has no option for. */
export type UserMessage = Described<HostMessage<'user'>>;

/** What you can send: a string, content blocks, or a complete user message. */
export type UserInput = string | readonly ContentBlock[] | UserMessage;

/** Options of `send`. */
export interface SendOptions {
  /** The id of the message. Default: a random one. CLIs silently drop a message with a repeated id. */
  readonly uuid?: string | undefined;
  /** When the CLI should process it while another turn runs; newer CLIs only. */
  readonly priority?: 'now' | 'next' | 'later' | undefined;
  /** The parent message, to edit and resend a message; null for the beginning. Patched CLIs only. */
  readonly parentUuid?: string | null | undefined;
  /** Ends this turn when aborted, not the session: cancels a waiting message, interrupts a running turn. */
  readonly signal?: AbortSignal | undefined;
}

/** Builds the user message that goes over the wire. */
export function userMessage(
  input: UserInput,
  options: SendOptions,
  makeUuid: () => string,
): WireObject & { uuid: string } {
  const message = wireMessage(input);
  const uuid = options.uuid ?? (typeof message.uuid === 'string' ? message.uuid : makeUuid());
  const { priority, parentUuid } = options;
  return {
    ...message,
    uuid,
    ...(priority === undefined ? {} : { priority }),
    ...(parentUuid === undefined ? {} : { parentUuid }),
  };
}

/** @throws CoxswainError `MESSAGE_INVALID` for input that cannot be sent. */
export function checkInput(input: UserInput): void {
  wireMessage(input);
}

function wireMessage(input: UserInput): WireObject {
  const message: WireObject = isPrepared(input)
    ? input
    : { type: 'user', message: { role: 'user', content: input } };
  checkMessage(message);
  return message;
}

function isPrepared(input: UserInput): input is UserMessage {
  return isObject(input);
}

/** A user line without a user-role message ends every CLI; an unknown type ends the old ones. */
function checkMessage(message: WireObject): void {
  const inner = message.message;
  if (message.type !== 'user' || !isObject(inner) || inner.role !== 'user') {
    throw invalid('A prepared message must be { type: "user", message: { role: "user", content } }');
  }
  if (typeof inner.content === 'string') {
    if (inner.content === '') throw invalid('The text of a user message must not be empty');
    return;
  }
  const blocks = Array.isArray(inner.content) ? inner.content : [];
  if (blocks.length === 0 || !blocks.every((block) => isObject(block) && typeof block.type === 'string')) {
    throw invalid('The content of a user message must be a string or a list of content blocks with a type');
  }
}

function invalid(what: string): CoxswainError {
  return new CoxswainError('MESSAGE_INVALID', `${what}; anything else would make the CLI exit.`);
}

/** The ids that were used. Bounded: only the latest are remembered. */
export class UsedIds {
  readonly #ids: RecentMap<string, true>;

  constructor(limit = 100_000) {
    this.#ids = new RecentMap(limit);
  }

  /** Records an id. @throws CoxswainError `MESSAGE_INVALID` if it was used before. */
  use(uuid: string): void {
    if (this.#ids.has(uuid)) {
      throw new CoxswainError(
        'MESSAGE_INVALID',
        `The uuid ${uuid} was sent before: the CLI would silently drop this message.`,
      );
    }
    this.#ids.set(uuid, true);
  }
}
