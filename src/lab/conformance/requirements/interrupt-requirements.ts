import type { Requirements } from '../requirement.js';

/** Interrupts, and withdrawn requests. */
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
    behaviour: 'An interrupt leaves a note as a user message.',
  },
  'interrupt:keeps-text': {
    behaviour: 'The model’s text from before the interrupt comes as an aborted message.',
  },
  'interrupt:session-goes-on': {
    behaviour: 'After an interrupt the session accepts the next message.',
  },
  'interrupt:receipt': {
    behaviour: 'The answer to an interrupt lists the messages that still wait.',
  },
  'interrupt:queued-runs': {
    behaviour: 'A waiting message survives an interrupt and runs next.',
  },
  'interrupt:cancel-queued': {
    behaviour: 'With `cancel_queued` an interrupt also drops the waiting messages and lists them.',
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
    behaviour: '`cancel_async_message` cancels a waiting message, once.',
  },
  'cancel:not-at-end-of-input': {
    behaviour: 'At the end of the input an open prompt is not withdrawn.',
  },
} as const satisfies Requirements;
