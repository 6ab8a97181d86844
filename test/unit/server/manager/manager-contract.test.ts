import { emulatedManager } from '../../../support/manager.js';
import { managerContract } from '../../../support/manager-contract.js';

managerContract((clis, options = {}) => emulatedManager(clis, options));
