import * as z from 'zod';
import { errorText } from '../../../wire/util/error-text.js';
import { OptionError } from '../../../wire/util/option-checks.js';

/** Creates a validation from a JSON Schema. @throws OptionError if it is not one. */
export function validatorOf(schema: object): (value: unknown) => string | undefined {
  let parsed: z.ZodType;
  try {
    parsed = z.fromJSONSchema({ ...schema });
  } catch (error) {
    throw new OptionError(
      'outputSchema',
      `Option "outputSchema": its schema cannot be used: ${errorText(error)}`,
    );
  }
  return (value) => {
    const outcome = parsed.safeParse(value);
    return outcome.success ? undefined : z.prettifyError(outcome.error);
  };
}
