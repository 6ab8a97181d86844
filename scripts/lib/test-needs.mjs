// What tests need besides the root package: installs it, and says in the environment of the tests what could not be had.
import { ensureInstalled } from './ensure-installed.mjs';
import { ensureNatsServer, ensureOldNatsServer } from './nats-server.mjs';

const CLIS = ['test/real-clis', 'REAL CLIS'];
const SDKS = ['test/peers', 'OTHER SDKS'];

/** The packages of the tests of `npm test`. */
export const SOME_PACKAGES = [CLIS, SDKS];

/** The packages of all tests but the bundlers' of `test:versions`, which also tries Jest on Node 20. */
export function allPackages({ alsoNodes = false } = {}) {
  // A third-party program needs Node 22 or newer.
  const isOldNode = Number(process.versions.node.split('.')[0]) < 22;
  return [
    ...SOME_PACKAGES,
    ['test/clients', 'CLIENTS OF OTHERS'],
    ['test/acp', 'PROGRAMS OF OTHERS'],
    ['test/runtimes', 'OTHER RUNTIMES'],
    ['test/projects/today', 'PROJECTS WITH THE OFFICIAL SDK'],
    ['test/projects/before', 'PROJECTS WITH AN OLD OFFICIAL SDK'],
    ...(isOldNode || alsoNodes ? [['test/nodes', 'OTHER NODES']] : []),
  ];
}

/** Installs packages; adds those that are missing to the environment. */
export async function installPackages(packages, env) {
  for (const [folder, what] of packages) {
    if (await ensureInstalled(folder)) continue;
    console.error(`\n${what} COULD NOT BE INSTALLED (see the npm error above): their tests are skipped.\n`);
    addMissing(env, folder);
  }
}

/** Gets a nats-server, and an old one for the test that refuses it. */
export async function findServers(env, { alsoOld }) {
  const { reason } = await ensureNatsServer();
  if (reason !== undefined) {
    console.error(`\nNO NATS-SERVER: ${reason}: the fleet tests are skipped.\n`);
    env.COXSWAIN_NO_NATS = reason;
    addMissing(env, 'nats');
  }
  if (!alsoOld) return;
  const { reason: noOldOne } = await ensureOldNatsServer();
  if (noOldOne === undefined) return;
  console.error(`\nNO OLD NATS-SERVER: ${noOldOne}: the test that refuses it is skipped.\n`);
  env.COXSWAIN_NO_OLD_NATS = noOldOne;
}

function addMissing(env, name) {
  env.COXSWAIN_MISSING = `${env.COXSWAIN_MISSING ?? ''} ${name}`;
}
