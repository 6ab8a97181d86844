import type { OptionSpec } from '../../../wire/util/option-checks.js';
import type { Capabilities } from '../capabilities.js';
import type { CliOptions } from './cli-options.js';

/** One argument for the CLI, before private values are moved to files. */
export interface Argument {
  /** The flag, with its dashes. */
  readonly flag: string;
  /** Absent for a switch. */
  readonly value?: string;
  /** Whether the CLI also accepts the path of a file with the value. It then gets one that only this user can read. */
  readonly takesFile?: boolean;
  /** Whether the value is the path of a private file that the launch wrote. */
  readonly isPrivateFile?: boolean;
  /** Whether the value may contain secrets: it is masked when the command line is shown, and reported if it has no file. */
  readonly secret?: boolean;
}

/** The context that an argument may depend on besides its own option. */
export interface PassingContext {
  /** All given options. */
  readonly options: CliOptions;
  /** What the CLI supports, as far as known before the start. */
  readonly capabilities: Capabilities;
}

/** How an option reaches the CLI. */
export type Passing<Value> =
  | { readonly as: 'value' | 'switch' | 'off-switch' | 'list' | 'each'; readonly flag: string }
  | { readonly as: 'variable'; readonly name: string; readonly text: (value: Value) => string | undefined }
  | {
      readonly as: 'arguments';
      /** The flags it may produce, for the documentation. */
      readonly flags: string;
      readonly build: (value: Value, context: PassingContext) => readonly Argument[];
    }
  | { readonly as: 'spawn' };

/** An option of the CLI: its kind, and how it is passed. */
export interface CliOptionSpec<Value = unknown> extends OptionSpec {
  /** How the option reaches the CLI. */
  readonly passed: Passing<Value>;
}

/** A table with one entry for each option of an interface, enforced by the compiler. */
export type OptionTable<Options> = OptionEntries<Required<Options>>;

// Without `-?` here, the compiler can match an entry with the value of its option.
/** The entries of such a table. */
export type OptionEntries<Options> = {
  readonly [Name in keyof Options]: CliOptionSpec<NonNullable<Options[Name]>>;
};

/** All options by name; those not given are undefined. */
export type Given<Options> = { readonly [Name in keyof Options]: Required<Options>[Name] | undefined };
