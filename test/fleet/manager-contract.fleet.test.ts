import { emulatedFleetManager } from '../support/fleet-manager.js';
import { managerContract } from '../support/manager-contract.js';
import { withNats } from '../support/nats/with-nats.js';

withNats('on a fleet', () => managerContract(emulatedFleetManager));
