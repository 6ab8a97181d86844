import { errorText } from '../../../wire/util/error-text.js';
import type { TurnOutcome } from './outcome.js';
import type { ReadOutputSchema } from './requested-output.js';

/** The result of validating an output: the parsed value, or the problem. */
export type CheckedOutput = { readonly value: unknown } | { readonly problem: string };

/** Validates a value. */
export type CheckOutput = (value: unknown) => CheckedOutput;

/** Creates the validation for a schema. The JSON Schema validator is loaded on demand. */
export async function loadOutputCheck({ asWritten, validate }: ReadOutputSchema): Promise<CheckOutput> {
  if (validate !== undefined) return (value) => checkedBy(validate, value);
  const { validatorOf } = await import('./json-schema.schemas.js');
  const problemOf = validatorOf(asWritten);
  return (value) => {
    const problem = problemOf(value);
    return problem === undefined ? { value } : { problem };
  };
}

function checkedBy(validate: NonNullable<ReadOutputSchema['validate']>, value: unknown): CheckedOutput {
  let result: ReturnType<typeof validate>;
  try {
    result = validate(value);
  } catch (error) {
    // A validation that throws counts as invalid, and must not break the turn.
    return { problem: `The output schema failed: ${errorText(error)}` };
  }
  if (result instanceof Promise) {
    result.catch(() => {});
    return {
      problem: 'The output schema validates asynchronously, which is not supported at the end of a turn.',
    };
  }
  if (result.issues === undefined) return { value: result.value };
  return { problem: result.issues.map(({ message, path = [] }) => `${placeOf(path)}${message}`).join('\n') };
}

function placeOf(path: readonly (PropertyKey | { readonly key: PropertyKey })[]): string {
  const steps = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return steps.length === 0 ? '' : `${steps.join('.')}: `;
}

/** A success without a value that matches the schema is not a success. */
export function checkOutput(outcome: TurnOutcome, check: CheckOutput | undefined): TurnOutcome {
  if (check === undefined || outcome.kind !== 'success') return outcome;
  const { kind: _kind, text: _text, ...rest } = outcome;
  if (!('output' in outcome)) {
    return { ...rest, kind: 'output-invalid', message: 'The turn ended without a structured output.' };
  }
  const checked = check(outcome.output);
  return 'problem' in checked
    ? { ...rest, kind: 'output-invalid', message: checked.problem }
    : { ...outcome, output: checked.value };
}
