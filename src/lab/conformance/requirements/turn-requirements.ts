import type { Requirements } from '../requirement.js';

/** Turns: user input, output, and how they end. */
export const turnRequirements = {
  'turn:order': {
    behaviour: 'A turn is `system/init`, the assistant’s messages, and one result.',
  },
  'turn:message-per-block': {
    behaviour: 'Each content block of the model comes as a separate message with the same message id.',
  },
  'turn:content-blocks': {
    behaviour: 'The content of a user message may be a list of blocks.',
  },
  'turn:one-result-each': {
    behaviour: 'Messages that are sent during a turn get a turn and a result each.',
  },
  'turn:repeated-uuid': {
    behaviour: 'A user message with a repeated uuid is dropped without a result.',
  },
  'turn:lifecycle': {
    behaviour: 'A message with a uuid is reported as queued, started and completed.',
  },
  'turn:replay': {
    behaviour: 'With `--replay-user-messages` each user message is repeated with its uuid.',
  },
  'turn:state-events': {
    behaviour: 'With `CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS` the states of the session are reported.',
  },
  'turn:max-turns': {
    behaviour: 'With `--max-turns` a turn that needs more model calls ends with `error_max_turns`.',
  },
  'turn:after-max-turns': {
    behaviour: 'The limit of model calls starts over for each user message.',
  },
  'turn:max-budget': {
    behaviour: 'Once over the budget, every message ends with `error_max_budget_usd`.',
  },
  'turn:api-failure': {
    behaviour:
      'A model call that fails ends in a `success` with `is_error` and a synthetic message before it.',
  },
  'turn:api-retry': {
    behaviour: 'A retried model call is reported by `system/api_retry`.',
  },
  'turn:session-survives-failure': {
    behaviour: 'After a failed model call the session accepts the next message.',
  },
  'turn:compact': {
    behaviour: '`/compact` is reported by `system/status` and `system/compact_boundary`.',
  },
  'turn:clear': {
    behaviour: '`/clear` is reported by `conversation_reset`.',
  },
  'partial:events': {
    behaviour:
      'With `--include-partial-messages` the raw events of the model come as `stream_event`, in order.',
  },
  'partial:absent': {
    behaviour: 'Without `--include-partial-messages` there is no `stream_event`.',
  },
  'partial:message-before-stop': {
    behaviour: 'The whole message of a block comes before the event that ends the block.',
  },
  'partial:empty-start': {
    behaviour: 'The event that starts a message has no content yet.',
  },
  'partial:kinds': {
    behaviour: 'Text, thinking and tool input are streamed in parts.',
  },
} as const satisfies Requirements;
