import { CoxswainError } from '../../../wire/util/errors.js';

/** The packages of the NATS client, which whoever has a fleet installs. */
export interface NatsClients {
  readonly core: typeof import('@nats-io/transport-node');
  readonly jetstream: typeof import('@nats-io/jetstream');
  readonly kv: typeof import('@nats-io/kv');
  readonly obj: typeof import('@nats-io/obj');
}

const PACKAGES = '@nats-io/transport-node @nats-io/jetstream @nats-io/kv @nats-io/obj';

/** Loads them. @throws CoxswainError `FLEET_NOT_STARTED` that says what to install. */
export async function loadClients(): Promise<NatsClients> {
  try {
    const [core, jetstream, kv, obj] = await Promise.all([
      import('@nats-io/transport-node'),
      import('@nats-io/jetstream'),
      import('@nats-io/kv'),
      import('@nats-io/obj'),
    ]);
    return { core, jetstream, kv, obj };
  } catch (cause) {
    const message = `A fleet needs the NATS client packages: npm install ${PACKAGES}`;
    throw new CoxswainError('FLEET_NOT_STARTED', message, { cause });
  }
}
