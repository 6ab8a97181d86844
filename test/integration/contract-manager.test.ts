import { conversationContract } from '../support/contract/conversation-contract.js';
import { inProcess } from '../support/contract/manager-ways-in.js';

conversationContract(inProcess);
