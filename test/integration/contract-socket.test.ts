import { brokenOnConsoles } from '../support/contract/broken.js';
import { overSocket } from '../support/contract/console-ways-in.js';
import { conversationContract } from '../support/contract/conversation-contract.js';

conversationContract({ ...overSocket, broken: brokenOnConsoles });
