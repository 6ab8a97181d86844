import type { HostRequest } from '../asking/host-request.js';
import type { Cli } from '../cli.js';
import type { Traits } from '../versions/traits.js';

/** Answers a control request as one CLI version does: once, twice or never. */
export type Handler = (request: HostRequest, cli: Cli) => void | Promise<void>;

/** Handlers by subtype. */
export type Handlers = Readonly<Record<string, Handler>>;

/** A CLI version: how it behaves and what it answers. */
export interface Personality {
  readonly traits: Traits;
  readonly handlers: Handlers;
}
