// Every hook event that can be registered, from the catalog.
import { hookEvents } from '../../src/wire/protocol/index.ts';

/** The `hooks` of an initialize request: one callback per event, named after it. */
export const hooksForAllEvents = Object.fromEntries(
  Object.keys(hookEvents).map((event) => [event, [{ hookCallbackIds: [event] }]]),
);
