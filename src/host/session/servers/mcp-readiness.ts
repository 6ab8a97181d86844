import { isObject, type RequestBody } from '../../../wire/protocol/frames.js';

/** Knows which MCP servers were not seen to be set up, for the error of an open that failed. */
export class McpReadiness {
  #pending = new Set<string>();

  /** A CLI is about to be shaken hands with. */
  restart(names: readonly string[]): void {
    this.#pending = new Set(names);
  }

  get pending(): readonly string[] {
    return [...this.#pending];
  }

  /** Watches the handshake of in-process servers go by; of other servers a host hears nothing. */
  note({ subtype, message, server_name: name }: RequestBody): void {
    if (subtype !== 'mcp_message' || !isObject(message)) return;
    if (message.method === 'notifications/initialized') this.#pending.delete(String(name));
  }
}
