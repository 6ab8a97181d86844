import type { PromptChange, Prompts } from '../../host/session/prompts/open-prompts.js';
import type { WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import type { PromptAnswer, SessionSummary } from './contract.js';
import { SessionPrompts } from './session-prompts.js';

/** The dependencies of {@link ClientPrompts}. */
export interface ClientPromptsParts {
  readonly clock: Clock;
  /** The CLI's own requests of a session's open prompts. */
  readonly pending: (session: string) => Promise<readonly WireObject[]>;
  readonly answer: (session: string, prompt: string, answer: PromptAnswer) => void;
  readonly onChange: (session: string, change: PromptChange) => void;
}

/** The prompts of all sessions of a server, as objects, from when somebody asks for them. */
export class ClientPrompts {
  readonly #parts: ClientPromptsParts;
  readonly #sessions = new Map<string, SessionPrompts>();
  #wanted = false;

  constructor(parts: ClientPromptsParts) {
    this.#parts = parts;
  }

  /** Somebody asks for prompts: those of these sessions and of all later changes are followed. */
  want(known: Iterable<SessionSummary>): void {
    if (this.#wanted) return;
    this.#wanted = true;
    for (const summary of known) this.update(summary);
  }

  of(session: string): Prompts {
    return this.#of(session).all;
  }

  /** The summary of a session has changed. */
  update(summary: SessionSummary): void {
    if (this.#wanted) this.#of(summary.id).update(summary);
  }

  /** A session left the list. */
  removed(session: string): void {
    this.#sessions.get(session)?.close();
    this.#sessions.delete(session);
  }

  /** Forgets all other sessions: they left the list while the client was not connected. */
  keepOnly(listed: readonly SessionSummary[]): void {
    const ids = new Set(listed.map(({ id }) => id));
    for (const session of [...this.#sessions.keys()]) if (!ids.has(session)) this.removed(session);
  }

  /** The connection has ended: nothing can be answered any more. */
  close(): void {
    this.keepOnly([]);
  }

  #of(session: string): SessionPrompts {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const { clock, pending, answer, onChange } = this.#parts;
    const prompts = new SessionPrompts({
      clock,
      pending: () => pending(session),
      answer: (prompt, given) => answer(session, prompt, given),
      onChange: (change) => onChange(session, change),
    });
    this.#sessions.set(session, prompts);
    return prompts;
  }
}
