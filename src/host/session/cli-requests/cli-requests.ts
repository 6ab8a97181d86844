import type { ControlPeer } from '../../../wire/peer/control-peer.js';
import type { RequestHandler, RequestWatcher } from '../../../wire/peer/received-requests.js';
import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';
import type { Clock } from '../../../wire/util/clock.js';
import { type RegisteredHooks, registerHooks } from '../hooks/hooks.js';
import type { InitializeParts } from '../opening/initialize.js';
import { McpReadiness } from '../servers/mcp-readiness.js';
import type { SessionOptions } from '../session-options.js';
import type { Traffic } from '../turns/traffic.js';

/** What {@link CliRequests} works with beside the options. */
export interface CliRequestsParts {
  /** The session's own handlers by subtype: of prompts, and of in-process MCP servers. */
  readonly own: Readonly<Record<string, RequestHandler>>;
  /** A CLI that waits for the host is quiet for a good reason. */
  readonly traffic: Pick<Traffic, 'cliRequestOpened' | 'cliRequestClosed'>;
  /** The servers that the host serves, for `initialize`. */
  readonly sdkMcpServers: () => readonly string[];
  readonly clock: Clock;
}

/** All that the CLI may ask this session: the handlers, kept over reopenings, and what of it is open. */
export class CliRequests implements RequestWatcher {
  readonly #initializeParts: InitializeParts;
  readonly #sdkMcpServers: () => readonly string[];
  readonly #serverNames: readonly string[];
  /** By subtype; the last one is in charge. */
  readonly #handlers = new Map<string, readonly RequestHandler[]>();
  readonly #withdrawals = new Map<string, () => void>();
  readonly #traffic: CliRequestsParts['traffic'];
  #readiness: McpReadiness;
  #peer: ControlPeer | undefined;

  constructor(options: SessionOptions, { own, traffic, sdkMcpServers, clock }: CliRequestsParts) {
    const { handlers = {}, mcpServers = {}, outputFormat } = options;
    const hooks: RegisteredHooks = registerHooks(options.hooks, clock);
    this.#traffic = traffic;
    this.#serverNames = Object.keys(mcpServers);
    this.#readiness = new McpReadiness(this.#serverNames);
    const all = { ...own, hook_callback: hooks.handler, ...handlers };
    for (const [subtype, handler] of Object.entries(all)) this.#handlers.set(subtype, [handler]);
    this.#sdkMcpServers = sdkMcpServers;
    this.#initializeParts = {
      hooks: hooks.wire,
      jsonSchema: isObject(outputFormat?.schema) ? outputFormat.schema : undefined,
    };
  }

  /** What `initialize` tells the CLI of what it may ask. */
  get initializeParts(): InitializeParts {
    return { ...this.#initializeParts, sdkMcpServers: this.#sdkMcpServers() };
  }

  /** What of the CLI's requests waits for the host, in words. */
  get open(): readonly string[] {
    return this.#peer?.answering ?? [];
  }

  /** A CLI is about to be shaken hands with: says which MCP servers are not set up. */
  beginHandshake(): McpReadiness {
    this.#readiness = new McpReadiness(this.#serverNames);
    return this.#readiness;
  }

  /** Answers all that a new peer is asked. */
  register(peer: ControlPeer): void {
    this.#peer = peer;
    for (const subtype of this.#handlers.keys()) this.#offer(subtype);
  }

  requestOpened(body: RequestBody): void {
    this.#readiness.note(body);
    this.#traffic.cliRequestOpened();
  }

  requestClosed(): void {
    this.#traffic.cliRequestClosed();
  }

  /** Answers a kind of request before whoever did so far; the returned function gives it back to them. */
  handle(subtype: string, handler: RequestHandler): () => void {
    const handlers = this.#handlers.get(subtype) ?? [];
    this.#handlers.set(subtype, [...handlers, handler]);
    if (handlers.length === 0) this.#offer(subtype);
    return () => {
      const left = (this.#handlers.get(subtype) ?? []).filter((other) => other !== handler);
      this.#handlers.set(subtype, left);
      if (left.length === 0) this.#withdrawals.get(subtype)?.();
    };
  }

  /** Tells the peer that requests of this kind are answered here, by whoever is in charge when one comes. */
  #offer(subtype: string): void {
    const handlers = this.#handlers.get(subtype) ?? [];
    if (this.#peer === undefined || handlers.length === 0) return;
    const answer: RequestHandler = (body, context) => this.#handlers.get(subtype)?.at(-1)?.(body, context);
    this.#withdrawals.set(subtype, this.#peer.handle(subtype, answer));
  }
}
