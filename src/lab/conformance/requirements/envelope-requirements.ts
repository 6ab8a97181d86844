import type { Requirements } from '../requirement.js';

/** How requests and answers are wrapped. */
export const envelopeRequirements = {
  'envelope:unknown-subtype': {
    behaviour: 'A request with an unknown subtype is answered with an error.',
  },
  'envelope:error-code': {
    behaviour: 'The refusal of an unknown subtype carries the code `unsupported_request`.',
  },
  'envelope:wrong-direction': {
    behaviour: 'Requests that only a CLI sends are refused when the host sends them.',
  },
  'envelope:plain-ack': {
    behaviour: 'A plain ack is a success without the key `response`.',
  },
  'envelope:one-answer': {
    behaviour: 'Each request is answered once.',
  },
  'envelope:missing-id': {
    behaviour: 'A request without an id gets an answer without one.',
  },
  'envelope:repeated-id': {
    behaviour: 'Two requests with the same id are both answered.',
  },
  'envelope:before-initialize': {
    behaviour: 'Requests are answered before the handshake.',
  },
  'envelope:during-prompt': {
    behaviour: 'Requests are answered while a permission prompt is open.',
  },
} as const satisfies Requirements;
