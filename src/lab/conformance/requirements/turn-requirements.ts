import { LATEST_FAILS, OLD_FAIL, OLDEST_FAILS, type Requirements } from '../requirement.js';

/** Turns: what the user says, what comes back, and how it ends. */
export const turnRequirements = {
  'turn:order': {
    behaviour: 'A turn is `system/init`, what the assistant says, and one result.',
    source: 'protocol.md §4',
  },
  'turn:message-per-block': {
    behaviour: 'Each content block of the model comes as a message of its own, with the same message id.',
    source: 'protocol.md §4',
  },
  'turn:content-blocks': {
    behaviour: 'The content of a user message may be a list of blocks.',
    source: 'protocol.md §4',
  },
  'turn:one-result-each': {
    behaviour: 'Messages that are sent during a turn get a turn and a result each.',
    source: 'protocol.md §1.2',
    except: LATEST_FAILS,
  },
  'turn:repeated-uuid': {
    behaviour: 'A user message with a uuid that came before is dropped without a result.',
    source: 'protocol.md §1.2',
  },
  'turn:lifecycle': {
    behaviour: 'A message with a uuid is followed by its life: queued, started, completed.',
    source: 'protocol.md §4',
    except: OLD_FAIL,
  },
  'turn:replay': {
    behaviour: 'With `--replay-user-messages` each user message is repeated with its uuid.',
    source: 'protocol.md §4',
  },
  'turn:state-events': {
    behaviour: 'With `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS` the states of the session are told.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'turn:max-turns': {
    behaviour: 'With `--max-turns` a turn that needs more model calls ends with `error_max_turns`.',
    source: 'protocol.md §4',
  },
  'turn:after-max-turns': {
    behaviour: 'The limit of model calls is counted anew for each user message.',
    source: 'protocol.md §4',
  },
  'turn:max-budget': {
    behaviour: 'Once over the budget, every message ends with `error_max_budget_usd`.',
    source: 'protocol.md §4',
  },
  'turn:api-failure': {
    behaviour:
      'A model call that fails ends in a `success` with `is_error` and a synthetic message before it.',
    source: 'protocol.md §4',
  },
  'turn:api-retry': {
    behaviour: 'A model call that is tried again is told by `system/api_retry`.',
    source: 'protocol.md §4',
    except: OLD_FAIL,
  },
  'turn:session-survives-failure': {
    behaviour: 'After a model call that failed the session takes the next message.',
    source: 'protocol.md §4',
  },
  'turn:compact': {
    behaviour: '`/compact` is told by `system/status` and `system/compact_boundary`.',
    source: 'protocol.md §4',
  },
  'turn:clear': {
    behaviour: '`/clear` is told by `conversation_reset`.',
    source: 'protocol.md §4',
    except: OLD_FAIL,
  },
  'partial:events': {
    behaviour:
      'With `--include-partial-messages` the raw events of the model come as `stream_event`, in order.',
    source: 'protocol.md §4',
  },
  'partial:absent': {
    behaviour: 'Without `--include-partial-messages` there is no `stream_event`.',
    source: 'protocol.md §4',
  },
  'partial:message-before-stop': {
    behaviour: 'The whole message of a block comes before the event that ends the block.',
    source: 'protocol.md §4',
  },
  'partial:empty-start': {
    behaviour: 'The event that starts a message has no content yet.',
    source: 'protocol.md §4',
    except: OLDEST_FAILS,
  },
  'partial:kinds': {
    behaviour: 'Text, thinking and the input of tools come in pieces.',
    source: 'protocol.md §4',
  },
} as const satisfies Requirements;
