export type { PartnerAct } from './contracts/echo-partner.js';
export { echoPartner, partnerAct } from './contracts/echo-partner.js';
export type { ContractCase, MakeTransport } from './contracts/transport.js';
export { transportContract } from './contracts/transport.js';
