import type { Clock } from '../../../wire/util/clock.js';
import { advance, type Schedule } from './schedule.js';

/** The dependencies of {@link Schedules}. */
export interface SchedulesOptions {
  readonly clock: Clock;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** Stores a schedule with its new time, before anything is sent. */
  readonly keep: (name: string, schedule: Schedule) => void;
  /** Sends what is due; must not throw. */
  readonly send: (name: string, text: string) => void;
  /** A time was skipped because of an error. */
  readonly skipped: (name: string, error: unknown) => void;
}

/** Clocks change, and system timers have a limited range: check the time periodically. */
const LOOK_MS = 60_000;

/** The schedules of all conversations, on one timer. */
export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #all = new Map<string, Schedule>();
  #stopTimer: (() => void) | undefined;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** Takes over a stored schedule; times that have passed since were missed. */
  restore(name: string, schedule: Schedule): void {
    this.#all.set(name, schedule);
    const now = this.#options.now();
    if (schedule.nextAt !== undefined && schedule.nextAt <= now)
      this.#pass(name, schedule, schedule.missed === 'once');
  }

  /** Everything stored has been loaded. */
  start(): void {
    this.#arm();
  }

  set(name: string, schedule: Schedule): void {
    this.#all.set(name, schedule);
    this.#arm();
  }

  delete(name: string): void {
    this.#all.delete(name);
    this.#arm();
  }

  close(): void {
    this.#all.clear();
    this.#arm();
  }

  /**
   * The next time is stored before the message is sent: a host that dies in between misses one, and sends
   * none twice. On a full disk the time is skipped; a schedule that cannot be read is left out.
   */
  #pass(name: string, schedule: Schedule, isSent: boolean): void {
    this.#all.delete(name);
    try {
      const next = advance(schedule, this.#options.now());
      this.#all.set(name, next);
      this.#options.keep(name, next);
    } catch (error) {
      this.#options.skipped(name, error);
      return;
    }
    if (isSent) this.#options.send(name, schedule.text);
  }

  #look(): void {
    const now = this.#options.now();
    for (const [name, schedule] of [...this.#all])
      if (schedule.nextAt !== undefined && schedule.nextAt <= now) this.#pass(name, schedule, true);
    this.#arm();
  }

  #arm(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    const times = [...this.#all.values()].flatMap(({ nextAt }) => nextAt ?? []);
    if (times.length === 0) return;
    const next = times.reduce((one, other) => Math.min(one, other));
    const wait = Math.min(LOOK_MS, Math.max(0, next - this.#options.now()));
    this.#stopTimer = this.#options.clock.after(wait, () => this.#look());
  }
}
