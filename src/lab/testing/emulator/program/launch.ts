import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Traits } from '../versions/traits.js';
import type { CliArguments } from './arguments.js';

/** What a command line is read against. */
export interface Launch {
  readonly args: CliArguments;
  readonly traits: Traits;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly pid: number;
  /** Whether the process runs as root, where CLIs refuse to skip permissions. */
  readonly isRoot: boolean;
}

/** Why the CLI ends before it begins. */
export interface Refusal {
  readonly code: number;
  readonly stderr: string;
  /** A message that is printed all the same. */
  readonly message?: WireObject;
}

/** Whether a launch was refused. */
export function isRefusal(value: object): value is Refusal {
  return 'stderr' in value;
}
