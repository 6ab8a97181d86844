import type { OpenParams } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConsoleSession } from './console-session.js';

/** The dependencies of {@link StartingSessions}. */
export interface StartingSessionsParts {
  /** All sessions of the server. */
  readonly sessions: () => readonly ConsoleSession[];
  /** How many sessions may have a CLI at once. */
  readonly maxOpen: number;
}

/** Sessions that are about to start: they have no CLI yet, and must neither be removed nor start twice. */
export class StartingSessions {
  readonly #parts: StartingSessionsParts;
  readonly #starts = new Set<Start>();

  constructor(parts: StartingSessionsParts) {
    this.#parts = parts;
  }

  /** Whether a session is about to start. */
  has(id: string): boolean {
    return [...this.#starts].some((start) => start.id === id);
  }

  /**
   * Reserves a slot for a session that is about to start; once started, the session itself is counted.
   * @throws CoxswainError `COMMAND_INVALID` if too many are open.
   */
  enter(id: string): Start {
    const { sessions, maxOpen } = this.#parts;
    const open = sessions().filter(({ isOpen, isEnding }) => isOpen && !isEnding);
    // One that waits for its CLI is open, too.
    const { size } = new Set([...open, ...this.#starts].map((each) => each.id));
    if (size >= maxOpen) {
      const message = `${size} sessions are open, which is the limit. Close one first.`;
      throw new CoxswainError('COMMAND_INVALID', message);
    }
    const start = new Start(id, {
      others: () => [...sessions().filter(({ isOpen }) => isOpen), ...this.#starts],
      leave: () => this.#starts.delete(start),
    });
    this.#starts.add(start);
    return start;
  }

  /** Nothing that is about to start a session starts it any more. */
  callOff(id: string): void {
    for (const start of this.#starts) if (start.id === id) start.callOff();
  }
}

/** A session, or one that is about to start, and the conversation that its CLI writes to. */
interface Writer {
  readonly id: string;
  readonly conversation: string | undefined;
}

interface StartParts {
  readonly others: () => readonly Writer[];
  readonly leave: () => void;
}

/** One session on its way to a CLI. */
class Start {
  readonly id: string;
  readonly #parts: StartParts;
  #conversation: string | undefined;
  #isCalledOff = false;

  constructor(id: string, parts: StartParts) {
    this.id = id;
    this.#parts = parts;
  }

  get conversation(): string | undefined {
    return this.#conversation;
  }

  /**
   * Takes the conversation that the CLI will continue.
   * @throws CoxswainError `COMMAND_INVALID` if another session has it: two CLIs writing to one would corrupt it.
   */
  claim(asked: OpenParams): void {
    const conversation = writtenConversation(asked);
    const other = this.#parts
      .others()
      .find((each) => each !== this && conversation !== undefined && each.conversation === conversation);
    if (other !== undefined) {
      const message = `The conversation ${conversation} is already open in the session ${other.id}.`;
      throw new CoxswainError('COMMAND_INVALID', message);
    }
    this.#conversation = conversation;
  }

  /** It must not start any more. */
  callOff(): void {
    this.#isCalledOff = true;
    this.leave();
  }

  /** Call it right before the start. @throws CoxswainError `SESSION_ENDED` if it was called off. */
  check(): void {
    if (this.#isCalledOff)
      throw new CoxswainError('SESSION_ENDED', 'The session was closed before it had a CLI.');
  }

  /** It has started, or has failed to. */
  leave(): void {
    this.#parts.leave();
  }
}

/** The conversation that a CLI would continue; a fork leaves it unchanged. */
export function writtenConversation({ resume, forkSession, program }: OpenParams): string | undefined {
  const forks = forkSession ?? program?.options.forkSession;
  const conversation = resume ?? program?.options.resume;
  return forks === true || typeof conversation !== 'string' ? undefined : conversation;
}
