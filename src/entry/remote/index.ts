export type { CommandFailedError } from './command-failed.js';
export {
  type ClientEvents,
  type CommandOptions,
  type ConsoleAddress,
  ConsoleClient,
  type ConsoleClientOptions,
  type EventListener,
} from './console-client.js';
export type * from './contract.js';
export { CLOSE_CODES } from './contract.js';
export type { ReceivedEvent } from './received-event.js';
export type { RemoteOptions } from './remote-launch.js';
