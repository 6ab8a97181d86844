import type { Diagnostic } from './diagnostics.js';

/** Every diagnostic code, with its sentence in the reference page. */
export const diagnosticCodes = {
  NOISE_LINE: 'The CLI printed a line that is not a protocol message; it was skipped.',
  LINE_TOO_LONG: 'A line was longer than `maxLineLength` and was skipped.',
  BROKEN_FRAME: 'A line was JSON, but not a valid frame; it was skipped.',
  LATE_ANSWER: 'An answer arrived after its request had timed out or was aborted.',
  UNKNOWN_ANSWER: 'An answer arrived for a request that was never made.',
  DUPLICATE_REQUEST: 'The CLI sent the same request twice; it was answered once.',
  UNHANDLED_REQUEST: 'The CLI sent a request without a handler; it was answered with an error.',
  PROCESS_LEFT: 'Processes of the CLI did not end, even after SIGKILL.',
  SECRET_IN_ARGUMENTS:
    'A value that may contain secrets is on the command line of the CLI, where other users of the machine can read it.',
  LOGIN_AWAITED:
    'The login is about to end and another CLI renews it; the start waits for that, 35 seconds at most.',
  LOGIN_NOT_FOUND:
    'A CLI with a `configDir` of its own reports no login: it is too old to use that of another folder, or nobody is logged in there.',
  REQUESTS_HIDDEN: 'A mode, rule or settings file decides before your callback is called.',
  NO_PARTIAL_MESSAGES: '`textDeltas()` was called on a session that gets no partial messages.',
  SCHEDULE_SKIPPED:
    'A scheduled message was skipped: the previous one is not done, the disk is full, or its times cannot be read.',
  HOOK_WITHOUT_EFFECT: 'A hook was set for an event that this CLI never calls.',
  PATCHES_APPLIED: 'A patched copy of the CLI was started; lists the patches that were applied.',
  MCP_SERVER_FAILED: 'An in-process MCP server could not be connected; the session continues without it.',
  MCP_TOOL_FAILED: 'A tool of an in-process MCP server threw; the model got the error.',
  MCP_NOT_READY: 'MCP servers were still connecting when the first turn began.',
  RECORDING_FAILED: 'The recording could not be written; the session continues.',
  RECORDING_FULL: 'The recording reached its limit and stops here.',
  RECORDING_GAP: 'Lines are missing from the recording because the writer could not keep up.',
  RECORDING_BESIDE: 'The file existed; the recording went to the next free name.',
  CONVERSATION_MISSING:
    "The conversation to resume was not found; a new one was started (`onMissing: 'fresh'`).",
  CALLBACK_FAILED: 'Your callback, hook or listener threw, timed out or returned an invalid value.',
  ANSWER_NOT_SENT: 'An answer to a request of the CLI could not be sent; usually the CLI is gone.',
  LISTENER_FAILED: 'A message listener of a control peer threw; the message is not delivered to it again.',
  FLEET_WAITS: 'The NATS servers of a fleet are not ready yet; the start is retried for a minute.',
  REMOTE_LOST: 'The connection to a console is lost for good; its conversations continue there.',
  FLEET_FEW_REPLICAS:
    'Streams of a fleet have fewer than three copies, so the loss of one NATS server can lose conversations.',
  FLEET_RECORD_UNREAD:
    'The record of a conversation in a fleet is damaged, or a newer version wrote it; the conversation is not listed.',
  FLEET_MESSAGE_FAILED:
    'Text on the bus of a fleet is none that Coxswain sends, or a message could not be handled; the fleet goes on.',
  WARM_CLI_FAILED: 'A CLI could not be started in advance; conversations start their own.',
  SLOTS_HELD: 'Open prompts hold all slots of a manager, and other conversations wait.',
  STORE_DAMAGED:
    'Lines in the store of a manager could not be read and were skipped, or are damaged and set aside.',
  STORE_FULL: 'The manager could not write to disk; messages wait until there is space.',
} as const satisfies Record<Diagnostic['code'], string>;
