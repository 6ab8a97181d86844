import { isDeepStrictEqual } from 'node:util';
import type { OpenRequest, SessionExport } from '../../../entry/remote/contract.js';
import { initializeOptionSpecs } from '../../../host/cli/options/initialize-options.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { LaunchOptions } from '../../manager/manager-options.js';
import { storedOptions } from '../../manager/store/stored-options.js';
import type { ServedConversationOptions } from './served-manager-options.js';

/** How a conversation is opened on its server. */
export function openParams(
  { priority, defer, workspace, ...options }: ServedConversationOptions,
  { id, name, cwd, budgetUsd }: NewConversation,
): OpenRequest {
  const { cwd: _cwd, model, permissionMode, ...rest } = storedOptions(options) as LaunchOptions;
  const entries = Object.entries(rest);
  return {
    id,
    join: true,
    title: name,
    ...(cwd === undefined ? {} : { cwd }),
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(workspace === undefined ? {} : { workspace }),
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
  /** Undefined for a folder of the server. */
  readonly cwd: string | undefined;
  readonly budgetUsd: number | undefined;
}

/** The options that a conversation was opened with. */
export type OpenedOptions = Pick<SessionExport, 'options' | 'defer'>;

/** The same, for the program that opens it. */
export function openedOptions({ defer, ...options }: ServedConversationOptions): OpenedOptions {
  return { options: storedOptions(options as LaunchOptions), defer };
}

/** @throws CoxswainError `OPTION_INVALID` for options that differ from those that a conversation was opened with. */
export function checkSame(
  name: string,
  { defer, ...options }: ServedConversationOptions,
  known: OpenedOptions,
): void {
  // A server may use another folder than the requested one.
  const changed = Object.entries(storedOptions(options as LaunchOptions))
    .filter(([key, value]) => key !== 'cwd' && !isDeepStrictEqual(value, known.options[key]))
    .map(([key]) => key);
  if (defer !== undefined && !isDeepStrictEqual(defer, known.defer)) changed.push('defer');
  if (changed.length === 0) return;
  const message = `The conversation ${name} cannot change ${changed.join(', ')}: it was opened with other values. Use setModel() or setPermissionMode(), or delete it.`;
  throw new CoxswainError('OPTION_INVALID', message);
}
