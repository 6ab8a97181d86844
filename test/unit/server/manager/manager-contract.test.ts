import { emulatedManager, manual } from '../../../support/manager.js';
import { managerContract } from '../../../support/manager-contract.js';

// Prompts stay open, as on a fleet.
managerContract((clis) => emulatedManager(clis, manual));
