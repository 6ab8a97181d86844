import { CoxswainError } from '../../../wire/util/errors.js';

/** The NATS client packages, which fleet users install. */
export interface NatsClients {
  readonly core: typeof import('@nats-io/transport-node');
  readonly jetstream: typeof import('@nats-io/jetstream');
  readonly kv: typeof import('@nats-io/kv');
  readonly obj: typeof import('@nats-io/obj');
}

const PACKAGES = '@nats-io/transport-node @nats-io/jetstream @nats-io/kv @nats-io/obj';

/** Loads them. @throws CoxswainError `FLEET_NOT_STARTED` with what to install. */
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
