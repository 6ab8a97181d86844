/** Why a command failed. */
export interface CommandError {
  /** An error code of the package (docs/reference/errors.md). */
  readonly code: string;
  /** What went wrong. */
  readonly message: string;
  /** The CLI's own words, where it refused. */
  readonly reason?: string | undefined;
  /** The CLI's own code, where it refused and named one. */
  readonly errorCode?: string | undefined;
}
