import { isObject } from '../../../wire/protocol/frames.js';
import type { Capabilities } from '../capabilities.js';
import type { CliOptions } from './cli-options.js';

/** What a permission mode can be chosen by. */
export type ModeChoice = Pick<CliOptions, 'permissionMode' | 'extraArgs'> & { readonly settings?: unknown };

/** Whether the options say in which permission mode the CLI starts. */
export function choosesMode({ permissionMode, extraArgs = {}, settings }: ModeChoice): boolean {
  if (permissionMode !== undefined || 'permission-mode' in extraArgs) return true;
  if (!isObject(settings) || !isObject(settings.permissions)) return false;
  return settings.permissions.defaultMode !== undefined;
}

/**
 * The mode to start a CLI in that is to ask, where nobody has chosen one: some CLIs choose one for themselves in which
 * they decide without asking. Undefined where they start in the usual one anyway.
 */
export function modeThatAsks(choice: ModeChoice, capabilities: Capabilities): 'default' | undefined {
  return choosesMode(choice) || capabilities.has('startsInDefaultMode') ? undefined : 'default';
}
