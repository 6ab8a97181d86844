export type { RateLimits } from './api/rate-limit.js';
export type { LogLimits } from './log/event-log.js';
export type { OutletLimits } from './socket/outlet.js';
export { type Console, type ConsoleLimits, type ConsoleOptions, startConsole } from './start-console.js';
