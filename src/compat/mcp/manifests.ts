import type { McpServerObject, McpTransport } from '../../mcp/server-object.js';
import { isObject, type WireObject } from '../../protocol/frames.js';
import { type Clock, systemClock } from '../../util/clock.js';

/** How long the start of a CLI may wait for what servers offer: only the loading of code takes time here. */
const BUDGET_MS = 10_000;
/** The newest version of MCP that the CLI speaks. */
const PROTOCOL = '2025-11-25';

/** What servers offer, by name, so that a CLI need not ask; it asks those that are late or offer nothing here. */
export async function captureManifests(
  servers: Readonly<Record<string, { readonly manifest: Promise<WireObject | undefined> }>>,
  clock: Clock = systemClock,
): Promise<WireObject | undefined> {
  const found: Record<string, WireObject> = {};
  const all = Object.entries(servers).map(async ([name, server]) => {
    const manifest = await server.manifest;
    if (manifest !== undefined) found[name] = manifest;
  });
  if (all.length > 0) await inTime(Promise.all(all), clock);
  return Object.keys(found).length === 0 ? undefined : { ...found };
}

function inTime(work: Promise<unknown>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const callOff = clock.after(BUDGET_MS, resolve);
    void work.then(() => {
      callOff();
      resolve();
    });
  });
}

/** Asks a server what it offers, over a connection of its own; undefined where it does not answer well. */
export async function manifestOf(server: McpServerObject): Promise<WireObject | undefined> {
  const link = new AskingTransport();
  try {
    await server.connect(link);
    const client = { name: 'coxswain', version: '1.0.0' };
    const initializeResult = await link.ask('initialize', {
      protocolVersion: PROTOCOL,
      capabilities: {},
      clientInfo: client,
    });
    if (!isObject(initializeResult)) return undefined;
    link.tell('notifications/initialized');
    const { capabilities } = initializeResult;
    if (!isObject(capabilities) || !isObject(capabilities.tools)) return { initializeResult };
    const toolsListResult = await link.ask('tools/list', {});
    return isObject(toolsListResult) ? { initializeResult, toolsListResult } : undefined;
  } finally {
    await link.close();
  }
}

/** A connection of which this process is both ends: it asks, and hears the answers. */
class AskingTransport implements McpTransport {
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
