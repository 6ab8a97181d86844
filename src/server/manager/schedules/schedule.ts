import { Cron } from 'croner';
import { errorText } from '../../../wire/util/error-text.js';
import { checkOptions, kinds, OptionError, oneOf } from '../../../wire/util/option-checks.js';

/** A schedule: what to send, and when. */
export interface ScheduleOptions {
  /** The times, as a cron expression: `0 9 * * 1-5` is nine o'clock from Monday to Friday. */
  readonly cron: string;
  /** The time zone of these times, such as `Europe/Rome`. */
  readonly timezone: string;
  /** What is sent. */
  readonly text: string;
  /** What to do about times when no manager was running: nothing, or one message for all of them. Default: `skip`. */
  readonly missed?: 'skip' | 'once' | undefined;
}

/** A stored schedule with its next time. */
export interface Schedule extends ScheduleOptions {
  /** The next time, in milliseconds since 1970; undefined if there is none. */
  readonly nextAt: number | undefined;
}

const specs = {
  cron: { kind: kinds.text, sentence: 'The times, as a cron expression.' },
  timezone: { kind: kinds.text, sentence: 'The time zone of these times.' },
  text: { kind: kinds.text, sentence: 'The text to send.' },
  missed: { kind: oneOf('skip', 'once'), sentence: 'What happens to times when no manager was running.' },
};

/** A schedule from now on. @throws OptionError for times or a zone that do not exist. */
export function scheduleFrom(options: ScheduleOptions, now: number): Schedule {
  checkOptions(specs, options);
  for (const name of ['cron', 'timezone', 'text'] as const)
    if (options[name] === undefined) throw new OptionError(name, `A schedule needs the option "${name}".`);
  const { cron, timezone, text, missed } = options;
  return advance(
    { cron, timezone, text, ...(missed === undefined ? {} : { missed }), nextAt: undefined },
    now,
  );
}

/** The same schedule with its next time after another time. */
export function advance(schedule: Schedule, after: number): Schedule {
  const { cron, timezone } = schedule;
  try {
    const next = new Cron(cron, { timezone, paused: true }).nextRun(new Date(after));
    return { ...schedule, nextAt: next?.getTime() };
  } catch (error) {
    throw new OptionError('cron', `The schedule "${cron}" (${timezone}) cannot be read: ${errorText(error)}`);
  }
}
