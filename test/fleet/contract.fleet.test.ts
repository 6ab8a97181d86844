import { brokenOnFleets, untestedOnFleets } from '../support/contract/broken.js';
import { conversationContract } from '../support/contract/conversation-contract.js';
import { onFleet } from '../support/contract/fleet-way-in.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('on a fleet', () =>
  conversationContract({ ...onFleet, broken: brokenOnFleets, untested: untestedOnFleets }),
);
