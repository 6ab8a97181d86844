import { factAt } from '../../../../host/cli/ledger/facts.js';
import { type Ledger, readLedger } from '../../../../host/cli/ledger/ledger.js';
import { CoxswainError } from '../../../../wire/util/errors.js';
import { type Trait, traitFacts } from './trait-facts.js';

/** Kinds of lines that end some CLIs; the names match the ledger. */
export type BadLine =
  | 'empty'
  | 'malformed'
  | 'null'
  | 'not-an-object'
  | 'unknown-type'
  | 'cancel'
  | 'request-without-body'
  | 'answer-without-body'
  | 'user-without-message'
  | 'environment';

/** How one CLI version behaves where versions differ: found on real ones, read from the ledger. */
export interface Traits extends Readonly<Record<Trait, boolean>> {
  readonly version: string;
  /** Whether it serves a request. */
  serves(subtype: string): boolean;
  /** Whether it accepts a flag; `listed` if its help mentions it. */
  takesFlag(flag: string): boolean | 'listed';
  /** Whether it calls the callbacks of a hook event. */
  fires(event: string): boolean;
  /** Whether it sends a message of this kind: `command_lifecycle`, `system/status`. */
  sends(message: string): boolean;
  /** Whether it reports a capability in `system/init`. */
  hasCapability(name: string): boolean;
  /** Whether a line ends the process with code 1. */
  endsOn(line: BadLine): boolean;
  /** The fate of a request with an invalid body. */
  readonly badBody: 'refused' | 'silent' | 'dies';
  /** Whether the system prompt has a line for billing, and whether a resumed conversation has the same. */
  readonly billingLine: 'none' | 'same' | 'another';
  /** Kinds of API errors that an assistant message names; others are `unknown`. */
  readonly apiErrors: ReadonlySet<string>;
  /** Model ids by the names that a host may use. */
  readonly models: Readonly<Record<string, string>>;
}

/**
 * The traits of a version.
 * @throws CoxswainError `OPTION_INVALID` for a version that was never published, or not when the ledger was written.
 */
export function traitsOf(version: string): Traits {
  const known = knownTraits.get(version);
  if (known !== undefined) return known;
  const ledger = theLedger();
  checkPublished(version, ledger);
  const traits = readTraits(version, (id) => factAt(ledger, id, version));
  knownTraits.set(version, traits);
  return traits;
}

/** A capability that came with 2.1.326, for what has no requirement of its own. */
export const OF_2_1_326 = 'silent_resend_files_v1';

/** The default version: the newest one that was probed in full. */
export function newestVersion(): string {
  return theLedger().probed.at(-1) ?? '';
}

/** Every version that can be emulated, oldest first. */
export function emulatedVersions(): readonly string[] {
  return theLedger().published;
}

const knownTraits = new Map<string, Traits>();
let ledgerOnce: Ledger | undefined;

function theLedger(): Ledger {
  ledgerOnce ??= readLedger();
  return ledgerOnce;
}

function checkPublished(version: string, { published }: Ledger): void {
  if (published.includes(version)) return;
  throw new CoxswainError(
    'OPTION_INVALID',
    `version: ${version} cannot be emulated; use a version on npm from ${published[0]} to ${published.at(-1)}.`,
  );
}

/** Lines that end every CLI, as they should, so the ledger says `pass`. */
const ALWAYS_FATAL: ReadonlySet<BadLine> = new Set([
  'malformed',
  'null',
  'request-without-body',
  'user-without-message',
]);

type Fact = (id: string) => string | undefined;

function readTraits(version: string, fact: Fact): Traits {
  const holds = (id: string) => fact(id) === 'pass';
  const named = Object.entries(traitFacts).map(([trait, id]) => [trait, holds(id)]);
  const traits = Object.fromEntries(named) as Record<Trait, boolean>;
  return {
    ...traits,
    version,
    serves: (subtype) => ['served', 'named', 'refused'].includes(fact(`request:${subtype}`) ?? ''),
    takesFlag: (flag) => flagTaken(fact(`flag:${flag}`)),
    fires: (event) => !['fail', 'no'].includes(fact(`hook-event:${event}`) ?? 'no'),
    sends: (message) => fact(`message:${message}`) === 'seen',
    hasCapability: (name) => fact(`capability:${name}`) === 'seen',
    endsOn: (line) => ALWAYS_FATAL.has(line) === holds(`line:${line}`),
    badBody: badBody(traits, fact),
    billingLine: billingLine(fact('cache:billing-line')),
    apiErrors: apiErrorsOf(traits),
    models: modelsOf(traits),
  };
}

function flagTaken(value: string | undefined): boolean | 'listed' {
  return value === 'listed' ? value : value === 'hidden';
}

function billingLine(fact: string | undefined): Traits['billingLine'] {
  if (fact === 'pass') return 'same';
  return fact === 'fail' ? 'another' : 'none';
}

function badBody(traits: Readonly<Record<Trait, boolean>>, fact: Fact): Traits['badBody'] {
  const became = fact('mcp-set:without-servers');
  if (became === 'pass') return 'refused';
  // The oldest ones are silent because they do not know that request at all.
  return became === 'silent' && traits.refusesUnknownRequests ? 'silent' : 'dies';
}

type Known = Readonly<Record<Trait, boolean>>;

/** Model ids by the names that a host may use. */
function modelsOf({ tellsAboutItself }: Known): Readonly<Record<string, string>> {
  return tellsAboutItself ? NEWER_MODELS : OLD_MODELS;
}

/** Kinds of API errors that assistant messages name. */
function apiErrorsOf({ tellsAboutItself }: Known): ReadonlySet<string> {
  return tellsAboutItself ? NEWER_ERRORS : OLD_ERRORS;
}

const OLD_MODELS = {
  default: 'claude-sonnet-4-5-20250929',
  sonnet: 'claude-sonnet-4-5-20250929',
  opus: 'claude-opus-4-5-20251101',
  haiku: 'claude-haiku-4-5-20251001',
};

const NEWER_MODELS = {
  default: 'claude-opus-5-5',
  opus: 'claude-opus-5-5',
  sonnet: 'claude-sonnet-5-5',
  haiku: 'claude-haiku-5-5',
};

const OLD_ERRORS = new Set(['unknown', 'authentication_failed', 'invalid_request']);

const NEWER_ERRORS = new Set([
  ...OLD_ERRORS,
  'server_error',
  'rate_limit',
  'model_not_found',
  'max_output_tokens',
  'overloaded',
  'billing_error',
]);
