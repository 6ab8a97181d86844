import { z } from 'zod';
import type { WireObject } from '../../../../wire/protocol/frames.js';

/** What is wrong with a value according to a JSON Schema; undefined if it is valid. */
export function schemaProblem(schema: WireObject, value: WireObject): string | undefined {
  const { success, error } = z.fromJSONSchema(schema).safeParse(value);
  return success ? undefined : z.prettifyError(error);
}
