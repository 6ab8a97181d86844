import { OLD_FAIL, OLD_SILENT, type Requirements } from '../requirement.js';

/** Interrupts, and requests that are withdrawn. */
export const interruptRequirements = {
  'interrupt:idle': {
    behaviour: 'An interrupt with nothing to interrupt is a success and does nothing else.',
    source: 'protocol.md §2.3',
  },
  'interrupt:ends-turn': {
    behaviour: 'An interrupted turn ends with the result `error_during_execution`.',
    source: 'protocol.md §2.3',
  },
  'interrupt:is-error': {
    behaviour: 'The result of an interrupted turn says that it is an error.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'interrupt:note': {
    behaviour: 'An interrupt leaves a note in the words of the user.',
    source: 'protocol.md §2.3',
  },
  'interrupt:keeps-text': {
    behaviour: 'What the model had said before the interrupt comes as an aborted message.',
    source: 'protocol.md §2.3',
    except: OLD_FAIL,
  },
  'interrupt:session-goes-on': {
    behaviour: 'After an interrupt the session takes the next message.',
    source: 'protocol.md §2.3',
  },
  'interrupt:receipt': {
    behaviour: 'The answer to an interrupt lists the messages that still wait.',
    source: 'protocol.md §2.3',
    except: OLD_FAIL,
  },
  'interrupt:queued-runs': {
    behaviour: 'A message that waits survives an interrupt and runs next.',
    source: 'protocol.md §2.3',
  },
  'interrupt:cancel-queued': {
    behaviour: 'With `cancel_queued` an interrupt also drops the messages that wait, and lists them.',
    source: 'protocol.md §1.1',
    except: OLD_FAIL,
  },
  'cancel:prompt': {
    behaviour: 'An interrupt withdraws an open prompt.',
    source: 'protocol.md §3.6',
  },
  'cancel:order': {
    behaviour: 'The withdrawal comes before the answer to the interrupt, and the result comes last.',
    source: 'protocol.md §2.3',
  },
  'cancel:late-answer': {
    behaviour: 'An answer to a prompt that was withdrawn is ignored.',
    source: 'protocol.md §2.3',
  },
  'cancel:hook': {
    behaviour: 'An interrupt withdraws an open hook callback.',
    source: 'protocol.md §3.6',
  },
  'cancel:queued-message': {
    behaviour: '`cancel_async_message` takes a waiting message back, once.',
    source: 'protocol.md §1.1',
    except: OLD_SILENT,
  },
  'cancel:not-at-end-of-input': {
    behaviour: 'At the end of the input an open prompt is not withdrawn.',
    source: 'protocol.md §3.6',
  },
} as const satisfies Requirements;
