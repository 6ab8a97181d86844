import type { Requirements } from '../requirement.js';

/** Interrupts, and requests that are withdrawn. */
export const interruptRequirements = {
  'interrupt:idle': {
    behaviour: 'An interrupt with nothing to interrupt is a success and does nothing else.',
  },
  'interrupt:ends-turn': {
    behaviour: 'An interrupted turn ends with the result `error_during_execution`.',
  },
  'interrupt:is-error': {
    behaviour: 'The result of an interrupted turn says that it is an error.',
  },
  'interrupt:note': {
    behaviour: 'An interrupt leaves a note in the words of the user.',
  },
  'interrupt:keeps-text': {
    behaviour: 'What the model had said before the interrupt comes as an aborted message.',
  },
  'interrupt:session-goes-on': {
    behaviour: 'After an interrupt the session takes the next message.',
  },
  'interrupt:receipt': {
    behaviour: 'The answer to an interrupt lists the messages that still wait.',
  },
  'interrupt:queued-runs': {
    behaviour: 'A message that waits survives an interrupt and runs next.',
  },
  'interrupt:cancel-queued': {
    behaviour: 'With `cancel_queued` an interrupt also drops the messages that wait, and lists them.',
  },
  'cancel:prompt': {
    behaviour: 'An interrupt withdraws an open prompt.',
  },
  'cancel:order': {
    behaviour: 'The withdrawal comes before the answer to the interrupt, and the result comes last.',
  },
  'cancel:late-answer': {
    behaviour: 'An answer to a prompt that was withdrawn is ignored.',
  },
  'cancel:hook': {
    behaviour: 'An interrupt withdraws an open hook callback.',
  },
  'cancel:queued-message': {
    behaviour: '`cancel_async_message` takes a waiting message back, once.',
  },
  'cancel:not-at-end-of-input': {
    behaviour: 'At the end of the input an open prompt is not withdrawn.',
  },
} as const satisfies Requirements;
