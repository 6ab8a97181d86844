import type { McpServerObject, McpTransport } from '../../../host/mcp/server-object.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { type Clock, systemClock, within } from '../../../wire/util/clock.js';

/** The newest version of MCP that the CLI speaks. */
const PROTOCOL = '2025-11-25';

/** Speaks with a server: a request and its result, undefined where there is none; or a notification. */
export interface ServerTalk {
  ask(method: string, params: WireObject): Promise<unknown>;
  tell(method: string): void;
}

/** What servers offer, by name, so that a CLI need not ask; it asks those that are late or do not answer well. */
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

/** What a server offers, and how long it may take to say so. */
export interface LateManifest {
  readonly manifest: Promise<WireObject | undefined>;
  readonly withinMs: number;
}

/** Asks a server what it offers, over a connection of its own. */
export async function manifestOf(server: McpServerObject): Promise<WireObject | undefined> {
  const link = new AskingTransport();
  try {
    await server.connect(link);
    return await askManifest(link);
  } finally {
    await link.close();
  }
}

/** Shakes hands as a CLI does; undefined where the server does not answer well. */
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
  // Only a whole list may stand for the server's.
  return toolsListResult.nextCursor === undefined
    ? { initializeResult, toolsListResult }
    : { initializeResult };
}

/** A connection of which this process is both ends: it asks, and hears the answers. */
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

  /** The result of a request; undefined where there is none. */
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
