import * as z from 'zod';
import { errorText } from '../../../wire/util/error-text.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import type { ValidateOutput } from './structured-output.js';

/** Makes a check from a JSON schema. @throws OptionError when the schema is not one. */
export function validatorOf(schema: object): ValidateOutput {
  let parsed: z.ZodType;
  try {
    parsed = z.fromJSONSchema({ ...schema });
  } catch (error) {
    throw new OptionError(
      'outputFormat',
      `Option "outputFormat": its schema cannot be used: ${errorText(error)}`,
    );
  }
  return (value) => {
    const outcome = parsed.safeParse(value);
    return outcome.success ? undefined : z.prettifyError(outcome.error);
  };
}
