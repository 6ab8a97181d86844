import { isObject } from '../../../wire/protocol/frames.js';
import type { Capabilities } from '../capabilities.js';
import type { CliOptions } from './cli-options.js';

/** What the choice of a permission mode depends on. */
export type ModeChoice = Pick<CliOptions, 'permissionMode' | 'extraArgs'> & { readonly settings?: unknown };

/** Whether the options set the permission mode in which the CLI starts. */
export function choosesMode({ permissionMode, extraArgs = {}, settings }: ModeChoice): boolean {
  if (permissionMode !== undefined || 'permission-mode' in extraArgs) return true;
  if (!isObject(settings) || !isObject(settings.permissions)) return false;
  return settings.permissions.defaultMode !== undefined;
}

/**
 * The mode for a CLI that should prompt, if nobody has chosen one: some CLIs start in a mode in which they decide
 * without prompting. Undefined if the CLI starts in the default mode anyway.
 */
export function modeThatAsks(choice: ModeChoice, capabilities: Capabilities): 'default' | undefined {
  return choosesMode(choice) || capabilities.has('startsInDefaultMode') ? undefined : 'default';
}
