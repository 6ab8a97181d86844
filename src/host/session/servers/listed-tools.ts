import { isObject, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import { type McpTool, toTool } from './mcp-tools.js';

/**
 * The in-process tools that the current CLI knows, which its model can call. A CLI may greet a server twice and list
 * its tools once, before or after the second greeting, so a greeting changes nothing here.
 */
export class ListedTools {
  readonly #tools = new Map<string, readonly McpTool[]>();

  /** Watches what a server answers to the CLI. */
  note({ server_name: name, message }: WireObject, { result }: WireObject): void {
    if (!isObject(message) || message.method !== 'tools/list' || !isObject(result)) return;
    const server = String(name);
    const isFirstPage = !isObject(message.params) || message.params.cursor === undefined;
    const before = isFirstPage ? [] : (this.#tools.get(server) ?? []);
    this.#tools.set(server, [...before, ...objectsIn(result.tools).map((tool) => toTool(server, tool))]);
  }

  /** Undefined if the CLI has not asked. */
  of(server: string): readonly McpTool[] | undefined {
    return this.#tools.get(server);
  }
}
