import type { RequestBody, WireObject } from '../../../wire/protocol/frames.js';
import type { Capabilities } from '../../cli/capabilities.js';
import { checkIgnored, type IgnorableOptions, systemPromptFor } from '../../cli/initialize-fields.js';
import { type InitializeOptions, initializeOptionNames } from '../../cli/options/initialize-options.js';

/** For layers that implement another SDK: fields of `initialize` that override those of the options. */
export interface InitializeExtras {
  readonly initializeFields?: (() => WireObject) | undefined;
}

/** Other parts of `initialize`, made by the session from its other options. */
export interface InitializeParts {
  readonly hooks?: WireObject | undefined;
  readonly sdkMcpServers?: readonly string[] | undefined;
  readonly jsonSchema?: WireObject | undefined;
  /** The options that the CLI got as flags. */
  readonly inFlags?: ReadonlyMap<string, unknown> | undefined;
}

/** Builds the `initialize` request; options that were not given are left out. */
export function initializeBody(
  options: InitializeOptions & InitializeExtras & IgnorableOptions,
  parts: InitializeParts,
  capabilities: Capabilities,
): RequestBody {
  checkIgnored(options, capabilities, parts.inFlags);
  const body: Record<string, unknown> & { subtype: string } = { subtype: 'initialize' };
  for (const name of initializeOptionNames) if (options[name] !== undefined) body[name] = options[name];
  if (options.systemPrompt !== undefined)
    body.systemPrompt = systemPromptFor(options.systemPrompt, capabilities);
  if (parts.hooks !== undefined) body.hooks = parts.hooks;
  if (parts.sdkMcpServers !== undefined && parts.sdkMcpServers.length > 0)
    body.sdkMcpServers = parts.sdkMcpServers;
  if (parts.jsonSchema !== undefined) body.jsonSchema = parts.jsonSchema;
  return { ...body, ...options.initializeFields?.() };
}
