import type { TurnOutcome } from './outcome.js';

/** Says what is wrong with a value, or undefined if it fits. */
export type ValidateOutput = (value: unknown) => string | undefined;

/** Loads a check of values against a JSON schema. The library behind it is loaded only when it is needed. */
export async function loadOutputCheck(schema: object): Promise<ValidateOutput> {
  const { validatorOf } = await import('./json-schema.schemas.js');
  return validatorOf(schema);
}

/** A success without a value that fits the schema is no success. */
export function checkOutput(outcome: TurnOutcome, validate: ValidateOutput | undefined): TurnOutcome {
  if (validate === undefined || outcome.kind !== 'success') return outcome;
  const { kind: _kind, text: _text, ...rest } = outcome;
  if (!('output' in outcome)) {
    return { ...rest, kind: 'output-invalid', message: 'The turn ended without a structured output.' };
  }
  const problem = validate(outcome.output);
  return problem === undefined ? outcome : { ...rest, kind: 'output-invalid', message: problem };
}
