import { isDeepStrictEqual } from 'node:util';
import type { OpenParams } from '../../../entry/remote/contract.js';
import { initializeOptionSpecs } from '../../../host/cli/options/initialize-options.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import { storedOptions } from '../../manager/store/stored-options.js';
import type { FleetConversationOptions } from './fleet-manager-options.js';

/** How a conversation is opened on a worker. */
export function openParams(
  { priority, defer, ...options }: FleetConversationOptions,
  { id, name, cwd, budgetUsd }: NewConversation,
): OpenParams {
  const { cwd: _cwd, model, permissionMode, ...rest } = storedOptions(options);
  const entries = Object.entries(rest);
  return {
    id,
    join: true,
    title: name,
    cwd,
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(priority === undefined ? {} : { place: { priority } }),
    ...(defer === undefined ? {} : { defer }),
    ...(budgetUsd === undefined ? {} : { maxBudgetUsd: budgetUsd }),
    program: {
      options: Object.fromEntries(entries.filter(([key]) => !isField(key))),
      initialize: Object.fromEntries(entries.filter(([key]) => isField(key))),
      detached: true,
    },
  };
}

/** Whether an option goes with `initialize`, not with the command line. */
function isField(name: string): boolean {
  return Object.hasOwn(initializeOptionSpecs, name);
}

/** The name and folder of a new conversation. */
export interface NewConversation {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
  readonly budgetUsd: number | undefined;
}

/** The launch options of a conversation, from how it was opened. */
export function launchOptionsOf({ cwd, model, permissionMode, program }: OpenParams): LaunchOptions {
  const { options = {}, initialize = {} } = program ?? {};
  return storedOptions({
    ...options,
    ...initialize,
    cwd,
    model,
    permissionMode,
  } as LaunchOptions);
}

/** @throws CoxswainError `OPTION_INVALID` for options that differ from those that a conversation was opened with. */
export function checkSame(name: string, options: FleetConversationOptions, opened: OpenParams): void {
  const known = launchOptionsOf(opened) as Readonly<Record<string, unknown>>;
  // A worker may use another folder than the requested one.
  const changed = Object.entries(storedOptions(options))
    .filter(([key, value]) => key !== 'cwd' && !isDeepStrictEqual(value, known[key]))
    .map(([key]) => key);
  if (options.defer !== undefined && !isDeepStrictEqual(options.defer, opened.defer)) changed.push('defer');
  if (changed.length === 0) return;
  const message = `The conversation ${name} cannot change ${changed.join(', ')}: it was opened with other values. Use setModel() or setPermissionMode(), or delete it.`;
  throw new CoxswainError('OPTION_INVALID', message);
}
