import { brokenOnConsoles } from '../support/contract/broken.js';
import { overHttp } from '../support/contract/console-ways-in.js';
import { conversationContract } from '../support/contract/conversation-contract.js';

conversationContract({ ...overHttp, broken: brokenOnConsoles });
