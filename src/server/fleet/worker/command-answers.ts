import { CoxswainError } from '../../../wire/util/errors.js';
import type { ReceivedCommand } from '../../console/commands/command.js';
import { commandError } from '../../console/commands/errors.js';
import type { KeptCommand } from './command-records.js';

/** The answer of a former owner. */
export const NOTHING = '';

/** The answer to somebody else's command of the same kind. */
export async function answeredTo({ id }: ReceivedCommand, answer: Promise<string>): Promise<string> {
  const text = await answer;
  return text === NOTHING ? NOTHING : JSON.stringify({ ...JSON.parse(text), id });
}

/** The answer to a message that is in the log. */
export function sentAnswer({ id }: KeptCommand): string {
  return JSON.stringify({ type: 'done', id, ok: true, value: { uuid: id } });
}

/** The answer to a command that an earlier owner had started. */
export function interrupted({ id, name }: ReceivedCommand): string {
  const message = `The worker that started "${name}" is gone; the conversation's log shows how far it got.`;
  return failed({ id }, new CoxswainError('FLEET_INTERRUPTED', message));
}

/** The answer to a command that failed. */
export function failed({ id }: Pick<ReceivedCommand, 'id'>, error: unknown): string {
  return JSON.stringify({ type: 'done', id, ok: false, error: commandError(error) });
}
