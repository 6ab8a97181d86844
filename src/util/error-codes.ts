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
  ENDPOINT_UNSUPPORTED:
    'This CLI version does not serve the request, or would do harm with it; nothing was sent.',
  PATCH_FAILED: 'A required patch does not fit the CLI; nothing was written.',
  PATCH_INVALID: 'A file in a folder of patches is not a patch, or the folder cannot be read.',
  CLI_NOT_PATCHABLE: 'The CLI is not a JavaScript file that can be patched.',
  MCP_SERVER_UNKNOWN: 'The CLI has no MCP server of this name.',
  HANDSHAKE_REFUSED: 'The CLI answered initialize with an error.',
  HANDSHAKE_TIMEOUT: 'The CLI did not answer initialize before the deadline.',
  HANDSHAKE_ENDED: 'The CLI ended before it answered initialize, whatever its exit code.',
  SESSION_MISSING: 'The CLI knows no session with the id that should be resumed.',
  SESSION_ENDED: 'The session has ended; open it again to go on.',
  SESSION_OVERFLOW: 'Messages that nobody read reached the hard limit, so the session was ended.',
  SESSION_STALLED: 'Nothing was heard of the CLI although a turn ran, and an interrupt did not help.',
  READER_TAKEN: 'A turn or message stream was iterated a second time.',
  TURN_FAILED: 'The text of a turn was asked for, and the turn did not end in success.',
  MESSAGE_INVALID: 'A user message has a shape that would end the CLI, or a uuid that was used before.',
  CALLBACK_UNREACHABLE: 'A callback was given that no request can ever reach with these options on this CLI.',
  ANSWER_INVALID: 'An answer to a form names a question that is not in it, or has the wrong form.',
  MCP_SERVER_FAILED: 'An in-process MCP server could not be connected, or did not answer in time.',
  MCP_NOT_READY: 'MCP servers that the session waited for did not connect.',
  TOOL_TIMEOUT: 'A tool of an in-process MCP server did not finish within its time limit.',
  MODEL_NOT_STARTED: 'The scripted model could not listen on its port.',
  MODEL_SCRIPT_FAILED: 'The scripted model got a request its script did not expect, or steps were left over.',
  EMULATOR_SCENARIO_FAILED:
    'The emulated CLI got something its scenario did not expect, or cues were left over.',
  TRACE_INVALID: 'A file is not a recording, or is empty.',
  TRACE_TOO_NEW: 'A recording was written by a newer version than this one can read.',
  TRACE_TOO_LARGE:
    'A recording is larger than what can be loaded, or put into one page; a part of it must be chosen.',
  REPLAY_MISMATCH:
    'A program under replay sent something else than what was recorded, or left something out.',
} as const satisfies Record<string, string>;

/** The stable code of a {@link CoxswainError}. */
export type ErrorCode = keyof typeof errorCodes;
