import type { Scenario } from '../../../src/lab/testing/emulator/scenario/scenario.js';
import type { Stage } from './stage.js';

/** A running query as a program sees it: messages, and methods by name. */
export interface RunningQuery extends AsyncGenerator<Record<string, unknown>, void>, AsyncDisposable {
  // biome-ignore lint/suspicious/noExplicitAny: programs are written as users write them, against either SDK.
  readonly [method: string]: any;
}

/** Options as a program passes them. */
export type Options = Record<string, unknown>;

/** What a program may send as its prompt. */
export type Prompt = string | AsyncIterable<unknown>;

/** The part of either SDK that programs use. */
export interface Sdk {
  query(params: { prompt: Prompt; options?: Options }): RunningQuery;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly [name: string]: any;
}

/** A small program that runs on the official SDK and on ours, and what the emulated CLI does meanwhile. */
export interface Program {
  /** A sentence about what is the same. */
  readonly name: string;
  readonly run: (sdk: Sdk, stage: Stage) => Promise<void>;
  /** One per started process, in order; the last one serves all further ones. */
  readonly scenarios?: readonly Scenario[];
  readonly version?: string;
  /** The names of accepted differences; one that does not occur fails the test. */
  readonly accepts?: readonly string[];
}
