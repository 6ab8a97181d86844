import type { OptionSpec } from '../../../wire/util/option-checks.js';
import type { Capabilities } from '../capabilities.js';
import type { Fact } from '../known-facts.js';
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

/** An option of a launch, and what follows from it wherever launches are checked, stored or sent. */
export interface LaunchOptionSpec extends OptionSpec {
  /** Plain data without secrets: managers keep it with a conversation, and any worker of a fleet gets it. */
  readonly stored?: true;
  /** It selects the conversation of one start; later starts of the same session leave it out. */
  readonly ofOneStart?: true;
  /** What it acts on: with a custom transport, which has no process and perhaps no launch, it is refused. */
  readonly actsOn?: 'process' | 'launch';
  /** On a console server, which starts the CLI itself: the option is refused, or applies only to the program's side. */
  readonly remotely?: 'refused' | 'ignored';
  /** The method of a session that changes it later. */
  readonly later?: string;
}

/** An option of the CLI: its kind, and how it is passed. */
export interface CliOptionSpec<Value = unknown> extends LaunchOptionSpec {
  /** How the option reaches the CLI. */
  readonly passed: Passing<Value>;
}

/** An option that is sent as a field of `initialize`, under its own name. */
export interface InitializeOptionSpec extends LaunchOptionSpec {
  readonly field: {
    /** What says which CLIs read it: a fact, or that they contain its name. Without it, every CLI gets the field. */
    readonly since?: Fact | 'named';
    /** A flag with the same effect, for CLIs that ignore the field. */
    readonly flag?: string;
  };
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

/** The options of a table that have this value for something known of them. */
export type InferredNames<Specs, Key extends string, Value> = {
  [Name in keyof Specs]: Specs[Name] extends Readonly<Record<Key, Value>> ? Name : never;
}[keyof Specs];

/** The names of the options that have this value for something known of them. */
export function optionsOf<
  Specs extends Readonly<Record<string, LaunchOptionSpec>>,
  Key extends keyof LaunchOptionSpec,
  const Value extends LaunchOptionSpec[Key],
>(specs: Specs, key: Key, value: Value): (InferredNames<Specs, Key, Value> & string)[] {
  const has = (name: string): name is InferredNames<Specs, Key, Value> & string =>
    specs[name]?.[key] === value;
  return Object.keys(specs).filter(has);
}
