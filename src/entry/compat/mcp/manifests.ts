import type { McpServerObject, McpTransport } from '../../../host/mcp/server-object.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';

/** The newest MCP version that the CLI supports. */
const PROTOCOL = '2025-11-25';

/** Talks to a server: sends a request and returns its result, undefined if there is none; or sends a notification. */
export interface ServerTalk {
  ask(method: string, params: WireObject): Promise<unknown>;
  tell(method: string): void;
}

/** What servers offer, by name, so that the CLI need not ask; it asks those that are late or answer incorrectly. */
export async function captureManifests(
  servers: Readonly<Record<string, LateManifest>>,
  clock: Clock = systemClock,
): Promise<WireObject | undefined> {
  const all = Object.entries(servers).map(async ([name, { manifest, withinMs }]) => {
    const came = await within(manifest, withinMs, clock);
    const found = came ? await manifest.catch(() => undefined) : undefined;
    return found === undefined ? [] : [[name, found] as const];
  });
  const found = (await Promise.all(all)).flat();
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** A server, and how long it may take to report what it offers. */
export interface LateManifest {
  readonly manifest: Promise<WireObject | undefined>;
  readonly withinMs: number;
}

/** Asks a server what it offers, over a separate connection. */
export async function manifestOf(server: McpServerObject): Promise<WireObject | undefined> {
  const link = new AskingTransport();
  try {
    await server.connect(link);
    return await askManifest(link);
  } finally {
    await link.close();
  }
}

/** Completes the handshake as a CLI does; undefined if the server answers incorrectly. */
export async function askManifest(talk: ServerTalk): Promise<WireObject | undefined> {
  const initializeResult = await talk.ask('initialize', {
    protocolVersion: PROTOCOL,
    capabilities: {},
    clientInfo: { name: 'coxswain', version: '1.0.0' },
  });
  if (!isObject(initializeResult)) return undefined;
  talk.tell('notifications/initialized');
  const { capabilities } = initializeResult;
  if (!isObject(capabilities) || !isObject(capabilities.tools)) return { initializeResult };
  const toolsListResult = await talk.ask('tools/list', {});
  if (!isObject(toolsListResult)) return undefined;
  // Only a complete list may replace the server's own.
  return toolsListResult.nextCursor === undefined
    ? { initializeResult, toolsListResult }
    : { initializeResult };
}

/** A connection with both ends in this process: it sends requests and receives the answers. */
class AskingTransport implements McpTransport, ServerTalk {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: WireObject) => void) | undefined;
  readonly #waiting = new Map<unknown, (answer: unknown) => void>();
  #lastId = 0;

  async start(): Promise<void> {}

  async send({ id, result }: WireObject): Promise<void> {
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
  }

  async close(): Promise<void> {
    for (const giveUp of this.#waiting.values()) giveUp(undefined);
    this.#waiting.clear();
    this.onclose?.();
  }

  /** The result of a request; undefined if there is none. */
  ask(method: string, params: WireObject): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.onmessage?.({ jsonrpc: '2.0', id, method, params });
    });
  }

  tell(method: string): void {
    this.onmessage?.({ jsonrpc: '2.0', method });
  }
}
