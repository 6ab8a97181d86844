import type { HookEventName } from '../../protocol/catalog/catalog.js';
import type { HookInput as CatalogInput, HookOutput as CatalogOutput } from '../../protocol/catalog/types.js';

export type HookEvent = HookEventName;

/** What a hook is told; narrow it by `hook_event_name`. */
export type HookInput = { [Name in HookEventName]: CatalogInput<Name> }[HookEventName];

export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook answers. */
export type SyncHookJSONOutput = { [Name in HookEventName]: CatalogOutput<Name> }[HookEventName];

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
