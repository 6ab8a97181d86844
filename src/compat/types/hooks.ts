import type { HookEventName } from '../../protocol/catalog/catalog.js';
import type { HookInput as CatalogInput, HookOutput as CatalogOutput } from '../../protocol/catalog/types.js';
import type { Declared } from './declared.js';

export type HookEvent = HookEventName;

/** What a hook is told; narrow it by `hook_event_name`. */
export type HookInput = { [Name in HookEventName]: Declared<CatalogInput<Name>> }[HookEventName];

export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook answers. */
export type SyncHookJSONOutput = Exclude<
  { [Name in HookEventName]: Declared<CatalogOutput<Name>> }[HookEventName],
  { async: true }
>;

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
