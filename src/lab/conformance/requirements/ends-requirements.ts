import type { Requirements } from '../requirement.js';

/** Malformed lines, and how a process ends. */
export const endRequirements = {
  'line:malformed': {
    behaviour: 'A line that is not JSON ends the CLI with exit code 1.',
  },
  'line:null': {
    behaviour: 'A line that is `null` ends the CLI with exit code 1.',
  },
  'line:request-without-body': {
    behaviour: 'A control request without `request` ends the CLI with exit code 1.',
  },
  'line:user-without-message': {
    behaviour: 'A user line without a user message ends the CLI with exit code 1.',
  },
  'line:empty': {
    behaviour: 'An empty line is ignored.',
  },
  'line:not-an-object': {
    behaviour: 'A line with a number or a list is ignored.',
  },
  'line:unknown-type': {
    behaviour: 'A line of an unknown type is ignored.',
  },
  'line:cancel': {
    behaviour: 'A `control_cancel_request` from the host is ignored if there is nothing to cancel.',
  },
  'line:answer-without-body': {
    behaviour: 'A control response without `response` is ignored.',
  },
  'line:environment': {
    behaviour: 'A line that updates environment variables is accepted.',
  },
  'line:keep-alive': {
    behaviour: 'A `keep_alive` is ignored.',
  },
  'line:long': {
    behaviour: 'A line of five megabytes is read.',
  },
  'line:carriage-return': {
    behaviour: 'A line may end with a carriage return before its newline.',
  },
  'line:split': {
    behaviour: 'A line may come in several writes, and several lines in one.',
  },
  'line:last-without-newline': {
    behaviour: 'The last line before the end of the input needs no newline.',
  },
  'end:idle': {
    behaviour: 'At the end of its input an idle CLI exits with code 0.',
  },
  'end:after-error': {
    behaviour: 'After a result that is an error the exit code is 1.',
  },
  'end:after-interrupt': {
    behaviour: 'After an interrupted turn the exit code is 0.',
  },
  'end:finishes-turn': {
    behaviour: 'At the end of its input a CLI finishes the turn and prints its result.',
  },
  'end:runs-queued': {
    behaviour: 'Messages that wait at the end of the input are still run.',
  },
  'end:prompt-fails': {
    behaviour: 'A prompt that is open at the end of the input fails, and the turn continues.',
  },
  'end:sigterm': {
    behaviour: 'SIGTERM ends a turn without a result, and the exit code is 143.',
  },
  'end:sigint': {
    behaviour: 'After SIGINT the exit code is 0.',
  },
  'end:sigint-result': {
    behaviour: 'SIGINT in a turn prints the result of an interrupt.',
  },
  'end:sighup': {
    behaviour: 'After SIGHUP the exit code is 129.',
  },
  'end:end-session': {
    behaviour: '`end_session` is answered, and the process exits with code 0.',
  },
  'end:end-session-in-turn': {
    behaviour: '`end_session` in a turn interrupts it, prints its result and exits with code 1.',
  },
  'end:unknown-flag': {
    behaviour: 'An unknown flag ends the CLI with exit code 1 before any output.',
  },
} as const satisfies Requirements;
