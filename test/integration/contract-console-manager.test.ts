import { brokenOnConsoleManagers } from '../support/contract/broken.js';
import { managerOfConsole } from '../support/contract/console-ways-in.js';
import { conversationContract } from '../support/contract/conversation-contract.js';

conversationContract({ ...managerOfConsole, broken: brokenOnConsoleManagers });
