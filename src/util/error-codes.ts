/** Every error code, with the one sentence that the reference page prints. Match on `error.code`, not on the text. */
export const errorCodes = {
  OPTION_INVALID: 'An option has a wrong type or value, is unknown, or contradicts another one.',
  CLI_NOT_FOUND: 'No Claude CLI was found at any of the places that were looked at.',
  CLI_NOT_EXECUTABLE: 'The file found in place of the CLI cannot be executed.',
  CWD_INVALID: 'The working folder does not exist or is not a folder.',
  INTERPRETER_NOT_FOUND: 'The CLI is a script and the program that should run it was not found.',
  CLI_WRONG_PLATFORM: 'The CLI binary was built for another system, architecture or C library.',
  CLI_ENDED: 'The CLI process ended while something was still waiting for it.',
  SPAWN_FAILED: 'The operating system refused to start the process.',
  ROOT_BYPASS: 'bypassPermissions was asked for while running as root, which the CLI refuses.',
  TRANSPORT_CLOSED: 'A line was sent on a transport that has ended.',
  SEND_OVERFLOW: 'The other side reads nothing and the unsent lines reached their limit.',
  LINE_INVALID: 'A text that is empty or spans several lines was given as a line.',
  NOT_SERIALISABLE: 'A value cannot be written as JSON (circular, BigInt, a function).',
  REQUEST_TIMEOUT: 'A control request was not answered before its deadline.',
  REQUEST_ABORTED: 'A control request was aborted by its caller or withdrawn by the other side.',
  REQUEST_REFUSED: 'The other side answered a control request with an error.',
  PROTOCOL_ERROR: 'The other side sent something that breaks the protocol.',
  MODEL_NOT_STARTED: 'The scripted model could not listen on its port.',
  MODEL_SCRIPT_FAILED: 'The scripted model got a request its script did not expect, or steps were left over.',
} as const satisfies Record<string, string>;

/** The stable code of a {@link CoxswainError}. */
export type ErrorCode = keyof typeof errorCodes;
