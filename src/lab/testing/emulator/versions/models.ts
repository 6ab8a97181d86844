import type { Trait } from './trait-facts.js';

type Known = Readonly<Record<Trait, boolean>>;

/** Model ids by the names that a host may use. */
export function modelsOf({ tellsAboutItself }: Known): Readonly<Record<string, string>> {
  return tellsAboutItself ? NEWER_MODELS : OLD_MODELS;
}

/** Kinds of API errors that assistant messages name. */
export function apiErrorsOf({ tellsAboutItself }: Known): ReadonlySet<string> {
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
