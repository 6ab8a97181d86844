import type { WireObject } from '../../wire/protocol/frames.js';
import type { OnDiagnostic } from '../../wire/util/diagnostics.js';
import { CoxswainError } from '../../wire/util/errors.js';
import { quiet } from '../../wire/util/listeners.js';
import type { McpTransport } from './server-object.js';

/** The calling session, as a tool sees it. */
export interface ToolSession {
  /** The id of the conversation; undefined until the CLI reports it. */
  readonly id: string | undefined;
}

/** What a server made by `mcpServer` finds on its transport when it serves a session. */
export interface LinkFacts {
  readonly session: ToolSession;
  readonly onDiagnostic: OnDiagnostic;
}

/** The end of a link that a server is connected to. */
export class LinkTransport implements McpTransport {
  readonly facts: LinkFacts;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: WireObject) => void) | undefined;
  readonly #onSend: (message: WireObject) => Promise<void>;
  #closed = false;

  constructor(onSend: (message: WireObject) => Promise<void>, facts: LinkFacts) {
    this.#onSend = onSend;
    this.facts = facts;
  }

  async start(): Promise<void> {
    if (this.#closed) throw closedError();
  }

  send(message: WireObject): Promise<void> {
    return this.#closed ? Promise.reject(closedError()) : this.#onSend(message);
  }

  /** Ends the connection: the server's running calls are aborted. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    quiet(this.onclose)();
  }
}

function closedError(): CoxswainError {
  return new CoxswainError('TRANSPORT_CLOSED', 'The session of this MCP server has ended.');
}
