import { OLD_FAIL, OLD_SILENT, type Requirements } from '../requirement.js';

/** How requests and answers are wrapped. */
export const envelopeRequirements = {
  'envelope:unknown-subtype': {
    behaviour: 'A request with a subtype that the CLI does not know is answered with an error.',
    source: 'protocol.md §1.1',
    except: OLD_SILENT,
  },
  'envelope:error-code': {
    behaviour: 'The refusal of an unknown subtype carries the code `unsupported_request`.',
    source: 'surface.md §1c',
    except: OLD_SILENT,
  },
  'envelope:wrong-direction': {
    behaviour: 'Requests that only a CLI sends are refused when the host sends them.',
    source: 'protocol.md §1.1',
    except: OLD_SILENT,
  },
  'envelope:plain-ack': {
    behaviour: 'A plain ack is a success without the key `response`.',
    source: 'protocol.md §2.1',
  },
  'envelope:one-answer': {
    behaviour: 'Each request is answered once.',
    source: 'protocol.md §2.4',
    except: OLD_FAIL,
  },
  'envelope:missing-id': {
    behaviour: 'A request without an id is answered, by an answer without one.',
    source: 'protocol.md §2.1',
  },
  'envelope:repeated-id': {
    behaviour: 'Two requests with the same id are both answered.',
    source: 'protocol.md §2.1',
  },
  'envelope:before-initialize': {
    behaviour: 'Requests are answered before the handshake.',
    source: 'protocol.md §2.1',
  },
  'envelope:during-prompt': {
    behaviour: 'Requests are answered while a permission prompt is open.',
    source: 'protocol.md §2.1',
  },
} as const satisfies Requirements;
