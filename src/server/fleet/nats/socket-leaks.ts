import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

const CHANNEL = 'net.client.socket';

/**
 * Connects, and closes the sockets of an attempt that failed: the NATS client leaves them open if a server accepts a
 * connection and says nothing, and the process could not exit.
 */
export async function withoutLeaks<Value>(connect: () => Promise<Value>): Promise<Value> {
  const made = new AsyncLocalStorage<Socket[]>();
  const sockets: Socket[] = [];
  const note = (message: unknown) =>
    void made.getStore()?.push((message as { readonly socket: Socket }).socket);
  subscribe(CHANNEL, note);
  try {
    return await made.run(sockets, connect);
  } catch (error) {
    for (const socket of sockets) socket.destroy();
    throw error;
  } finally {
    unsubscribe(CHANNEL, note);
    made.disable();
  }
}
