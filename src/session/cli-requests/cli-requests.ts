import type { ControlPeer } from '../../peer/control-peer.js';
import type { RequestHandler } from '../../peer/received-requests.js';
import { isObject } from '../../protocol/frames.js';
import type { InitializeParts } from '../initialize.js';
import { McpReadiness } from '../mcp-readiness.js';
import type { SessionOptions } from '../session-options.js';
import { type RegisteredHooks, registerHooks } from './hooks.js';

/** What {@link CliRequests} works with beside the options. */
export interface CliRequestsParts {
  /** The handlers of requests that become prompts. */
  readonly prompts: Readonly<Record<string, RequestHandler>>;
  /** Told when a request begins to wait for the host; returns whom to tell when it does no longer. */
  readonly onOpen: () => () => void;
}

/** All that the CLI may ask this session: the handlers, kept over reopenings, and what of it is open. */
export class CliRequests {
  readonly initializeParts: InitializeParts;
  readonly #serverNames: readonly string[];
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #open = new Map<string, string>();
  readonly #onOpen: () => () => void;
  #readiness: McpReadiness;
  #peer: ControlPeer | undefined;

  constructor(options: SessionOptions, { prompts, onOpen }: CliRequestsParts) {
    const { handlers = {}, mcpServers = {}, outputFormat } = options;
    const hooks: RegisteredHooks = registerHooks(options.hooks);
    this.#onOpen = onOpen;
    this.#serverNames = Object.keys(mcpServers);
    this.#readiness = new McpReadiness(this.#serverNames);
    const all = { ...prompts, hook_callback: hooks.handler, ...handlers };
    for (const [subtype, handler] of Object.entries(all)) this.#handlers.set(subtype, handler);
    this.initializeParts = {
      hooks: hooks.wire,
      sdkMcpServers: Object.entries(mcpServers).flatMap(([name, server]) =>
        server.type === 'sdk' ? [name] : [],
      ),
      jsonSchema: isObject(outputFormat?.schema) ? outputFormat.schema : undefined,
    };
  }

  /** What of the CLI's requests waits for the host, in words. */
  get open(): readonly string[] {
    return [...this.#open.values()];
  }

  /** A CLI is about to be shaken hands with: says which MCP servers are not set up. */
  beginHandshake(): McpReadiness {
    this.#readiness = new McpReadiness(this.#serverNames);
    return this.#readiness;
  }

  /** Gives all handlers to a new peer. */
  register(peer: ControlPeer): void {
    this.#peer = peer;
    this.#open.clear();
    for (const [subtype, handler] of this.#handlers) peer.handle(subtype, this.#counted(handler));
  }

  handle(subtype: string, handler: RequestHandler): () => void {
    this.#handlers.set(subtype, handler);
    const remove = this.#peer?.handle(subtype, this.#counted(handler));
    return () => {
      if (this.#handlers.get(subtype) === handler) this.#handlers.delete(subtype);
      remove?.();
    };
  }

  #counted(handler: RequestHandler): RequestHandler {
    return async (body, context) => {
      this.#readiness.note(body);
      const closed = this.#onOpen();
      this.#open.set(
        context.id,
        body.tool_name === undefined ? body.subtype : `${body.subtype} ${String(body.tool_name)}`,
      );
      const done = () => {
        if (this.#open.delete(context.id)) closed();
      };
      context.signal.addEventListener('abort', done, { once: true });
      try {
        return await handler(body, context);
      } finally {
        done();
        context.signal.removeEventListener('abort', done);
      }
    };
  }
}
