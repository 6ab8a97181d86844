const SECRET_FLAG = /^--?[\w-]*(?:api-?key|token|password|secret)$/i;

/** Masks the word after a flag that takes a secret; all other words are left to the redactor. */
export function maskArguments(argv: readonly string[]): readonly string[] {
  return argv.map((word, index) => (SECRET_FLAG.test(argv[index - 1] ?? '') ? '<secret>' : word));
}
