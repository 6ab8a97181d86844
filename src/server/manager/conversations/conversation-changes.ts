import { isDeepStrictEqual } from 'node:util';
import { CoxswainError } from '../../../wire/util/errors.js';
import type { ConversationOptions, LaunchOptions } from '../manager-options.js';
import type { ConversationRecord } from '../store/record.js';
import { STORED, storedOptions } from '../store/stored-options.js';

/** The CLI of a conversation that is reopened. */
export interface KnownLaunch {
  /** Whether a CLI is running or starting: then other launch options would take no effect. */
  readonly hasCli: boolean;
  /** The launch options of this process that are not stored. */
  readonly given: LaunchOptions;
}

/**
 * The record of an existing conversation with the options of a later call. @throws CoxswainError `OPTION_INVALID` for
 * a difference that cannot take effect.
 */
export function changedRecord(
  record: ConversationRecord,
  asked: ConversationOptions,
  { hasCli, given: known }: KnownLaunch,
): ConversationRecord {
  const { owner, priority, workspace, id, defer, usedBefore: _used, askedBefore: _asked, ...given } = asked;
  const wanted = storedOptions(given);
  const own = defined({ defer });
  const changed = [...differing(wanted, record.options), ...differing(own, record)];
  const fixed = changed.filter((key) => hasCli || key === 'cwd');
  if (hasCli) fixed.push(...differing(unstored(given), known));
  if (owner !== undefined && owner !== record.owner) fixed.push('owner');
  if (id !== undefined && id !== (record.sessionId ?? record.givenId)) fixed.push('id');
  if (workspace !== undefined && !isDeepStrictEqual(workspace, record.workspace ?? 'shared'))
    fixed.push('workspace');
  if (fixed.length > 0) throw cannotChange(record.name, fixed, hasCli);
  const { priority: before } = record;
  if (changed.length === 0 && (priority ?? before) === before) return record;
  const options = { ...record.options, ...wanted };
  return { ...record, ...own, priority: priority ?? before, options };
}

function unstored(given: LaunchOptions): object {
  const stored: readonly string[] = STORED;
  return Object.fromEntries(Object.entries(defined(given)).filter(([key]) => !stored.includes(key)));
}

function defined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Functions and class instances are compared by identity, everything else by its contents. */
function differing(wanted: object, known: object): string[] {
  const values = known as Readonly<Record<string, unknown>>;
  return Object.entries(wanted)
    .filter(([key, value]) => !isDeepStrictEqual(value, values[key]))
    .map(([key]) => key);
}

function cannotChange(name: string, options: readonly string[], hasCli: boolean): CoxswainError {
  const why = hasCli
    ? 'its CLI runs with other values; park it first'
    : 'it is fixed when the conversation is created';
  return new CoxswainError(
    'OPTION_INVALID',
    `The conversation ${name} cannot change ${options.join(', ')}: ${why}.`,
  );
}
