// Prints the path of a nats-server for trying out a fleet; downloads one from Debian if there is none.
import { ensureNatsServer } from './lib/nats-server.mjs';

const { path, reason } = await ensureNatsServer();
if (path === undefined) {
  console.error(`no nats-server: ${reason}`);
  process.exitCode = 1;
} else {
  console.log(path);
}
