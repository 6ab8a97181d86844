import { openEngine } from '../../src/server/fleet/nats/open-engine.js';
import { systemClock } from '../../src/wire/util/clock.js';
import { engineContract } from '../support/engine-contract.js';
import { natsServer } from '../support/nats/nats-server.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('the engine on NATS', () => {
  engineContract(async (body) => {
    const { url: nats } = await natsServer();
    const [one, other] = await Promise.all([openEngine({ nats }), openEngine({ nats })]);
    try {
      await body({ one, other, clock: systemClock });
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
});
