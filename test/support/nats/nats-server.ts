import { type NatsServer, type NatsServerOptions, startNats } from './nats-process.js';
import { copyPreparedStore } from './prepared-store.js';

export { freePorts, type NatsServer } from './nats-process.js';

/** Starts a server for a test. A plain one has the streams of a fleet already, and none of its conversations. */
export function natsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const { config, program, storeDir } = options;
  const isPlain = config === undefined && program === undefined && storeDir === undefined;
  return startNats(isPlain ? { ...options, prepare: copyPreparedStore } : options);
}
