import type { McpTransport } from '../../mcp/server-object.js';
import { isObject, type WireObject } from '../../protocol/frames.js';
import { type Clock, systemClock } from '../../util/clock.js';
import { ToolInstance } from './server.js';

/** How long the start of a CLI may wait for what servers offer; later ones are asked by the CLI. */
const BUDGET_MS = 250;
/** The newest version of MCP that the CLI speaks. */
const PROTOCOL = '2025-11-25';

/**
 * Asks the servers that `createSdkMcpServer` made what they offer, so that a CLI need not. Other server objects
 * may serve one connection only: those are left to the CLI.
 */
export async function captureManifests(
  servers: Readonly<Record<string, unknown>>,
  clock: Clock = systemClock,
): Promise<WireObject | undefined> {
  const own = Object.entries(servers).flatMap(([name, server]) => {
    const instance = isObject(server) ? server.instance : undefined;
    return instance instanceof ToolInstance ? [[name, instance] as const] : [];
  });
  if (own.length === 0) return undefined;
  const found: Record<string, WireObject> = {};
  const all = own.map(async ([name, instance]) => {
    const manifest = await manifestOf(instance).catch(() => undefined);
    if (manifest !== undefined) found[name] = manifest;
  });
  await inTime(Promise.all(all), clock);
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

async function manifestOf(instance: ToolInstance): Promise<WireObject | undefined> {
  const link = new AskingTransport();
  try {
    await instance.connect(link);
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
