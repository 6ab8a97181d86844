import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Traits } from '../versions/traits.js';
import { knownFlags } from './flags.js';

/** A parsed CLI command line. */
export interface CliArguments {
  /** The values of each flag in order; a switch has an empty string. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** The part that is not a flag: the prompt. */
  readonly words: readonly string[];
  readonly unknown: readonly string[];
}

/** Parses a command line as the CLI does: `--flag value`, `--flag=value`, lists up to the next flag. */
export function readArguments(args: readonly string[]): CliArguments {
  const reading = new Reading(args);
  while (reading.step());
  return reading;
}

/** The last value of a flag. */
export function lastValue({ flags }: CliArguments, name: string): string | undefined {
  return flags.get(name)?.at(-1);
}

class Reading implements CliArguments {
  readonly flags = new Map<string, readonly string[]>();
  readonly words: string[] = [];
  readonly unknown: string[] = [];
  #rest: readonly string[];

  constructor(args: readonly string[]) {
    this.#rest = args;
  }

  /** Parses one argument with its values; returns whether there was one. */
  step(): boolean {
    const [first, ...rest] = this.#rest;
    if (first === undefined) return false;
    this.#rest = rest;
    if (first === '--') {
      this.words.push(...rest);
      return false;
    }
    if (!first.startsWith('-') || first === '-') this.words.push(first);
    else this.#takeFlag(first);
    return true;
  }

  #takeFlag(text: string): void {
    const at = text.indexOf('=');
    const flag = at === -1 ? text : text.slice(0, at);
    const kind = knownFlags.get(flag);
    if (kind === undefined) this.unknown.push(flag);
    const before = this.flags.get(flag) ?? [];
    if (at !== -1) this.flags.set(flag, [...before, text.slice(at + 1)]);
    else this.flags.set(flag, [...before, ...this.#takeValues(kind ?? 'switch')]);
  }

  #takeValues(kind: string): readonly string[] {
    if (kind === 'switch') return [''];
    const next = this.#rest.findIndex((word) => word.startsWith('-'));
    const free = next === -1 ? this.#rest.length : next;
    // A flag that needs a value takes the next argument, whatever it looks like.
    const count = kind === 'list' ? free : kind === 'optional' ? Math.min(1, free) : 1;
    const values = this.#rest.slice(0, count);
    this.#rest = this.#rest.slice(count);
    return values.length === 0 ? [''] : values;
  }
}

/** The context for parsing a command line. */
export interface Launch {
  readonly args: CliArguments;
  readonly traits: Traits;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  /** Whether the process runs as root, where CLIs refuse to skip permissions. */
  readonly isRoot: boolean;
}

/** Why the CLI exits before it starts. */
export interface Refusal {
  readonly code: number;
  readonly stderr: string;
  /** A message that is printed anyway. */
  readonly message?: WireObject;
}

/** Whether a launch was refused. */
export function isRefusal(value: object): value is Refusal {
  return 'stderr' in value;
}
