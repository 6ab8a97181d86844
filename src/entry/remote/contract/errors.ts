/** Why a command failed. */
export interface CommandError {
  /** An error code of the package (docs/reference/errors.md). */
  readonly code: string;
  /** What went wrong. */
  readonly message: string;
  /** The CLI's message, if it refused. */
  readonly reason?: string | undefined;
  /** The CLI's own error code, if it sent one. */
  readonly errorCode?: string | undefined;
}
