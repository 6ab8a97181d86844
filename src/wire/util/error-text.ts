/** The text of anything that was thrown; never throws itself. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return 'an error that could not be converted to text';
  }
}

/** The code of a system error, such as `ENOENT`; undefined for any other error. */
export function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
