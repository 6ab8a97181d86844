import type { ProbedVersion } from '../../wire/protocol/catalog/entries.js';
import type { Verdict } from './verdict.js';

/** One behaviour of a CLI, and what is known about it. */
export interface Requirement {
  /** What the CLI does, in one sentence. */
  readonly behaviour: string;
  /** The probed versions that do not pass, and what they do instead. */
  readonly except?: Readonly<Partial<Record<ProbedVersion, Exclude<Verdict, 'pass'>>>>;
}

/** Requirements by id: `subject:what`. */
export type Requirements = Readonly<Record<string, Requirement>>;

/** 2.0.73 and 2.1.17 do otherwise. */
export const OLD_FAIL = { '2.0.73': 'fail', '2.1.17': 'fail' } as const;
/** 2.0.73 and 2.1.17 say nothing. */
export const OLD_SILENT = { '2.0.73': 'silent', '2.1.17': 'silent' } as const;
/** 2.0.73 and 2.1.17 lack it. */
export const OLD_UNSUPPORTED = { '2.0.73': 'unsupported', '2.1.17': 'unsupported' } as const;
/** Only 2.0.73 does otherwise. */
export const OLDEST_FAILS = { '2.0.73': 'fail' } as const;
/** Only 2.1.325 does otherwise. */
export const LATEST_FAILS = { '2.1.325': 'fail' } as const;
