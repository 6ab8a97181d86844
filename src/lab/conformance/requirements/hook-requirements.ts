import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import type { Requirement, Requirements } from '../requirement.js';

/** Hook callbacks: when they are called, and what their answers do. */
export const hookRequirements = {
  'hook:callback': {
    behaviour:
      'A hook callback is called by its id, with the input of the event and the id of the tool call.',
  },
  'hook:base-input': {
    behaviour:
      'The input of each hook has the session, the transcript, the folder and the name of the event.',
  },
  'hook:matcher-name': {
    behaviour: 'A matcher can be the name of a tool; other tools do not fire it.',
  },
  'hook:matcher-alternatives': {
    behaviour: 'A matcher can list names with a bar between them.',
  },
  'hook:matcher-pattern': {
    behaviour: 'A matcher can be a regular expression.',
  },
  'hook:matcher-any': {
    behaviour: 'A matcher that is a star or absent matches every tool.',
  },
  'hook:all-at-once': {
    behaviour: 'All matching callbacks are called at once.',
  },
  'hook:block': {
    behaviour: 'A hook that blocks prevents the call and its prompt; its reason is the result.',
  },
  'hook:deny': {
    behaviour: 'A hook that denies prevents the call and its prompt; its reason is the result.',
  },
  'hook:allow': {
    behaviour: 'A call that a hook allows does not prompt.',
  },
  'hook:allow-changed-input': {
    behaviour: 'A call that a hook allows with `updatedInput` runs with that.',
  },
  'hook:changed-input-alone': {
    behaviour: 'A hook can change the input of a call without deciding about it.',
  },
  'hook:ask': {
    behaviour: 'A hook that says `ask` makes a call prompt that would not have.',
  },
  'hook:defer': {
    behaviour: 'A single call that a hook defers is not made: the turn ends, and its result has the call.',
  },
  'hook:deny-wins': {
    behaviour: 'If one hook allows and another denies, the call is denied.',
  },
  'hook:stop': {
    behaviour: 'A hook that says `continue: false` lets the call run and then ends the turn.',
  },
  'hook:prompt-block': {
    behaviour: 'A blocked prompt ends its turn as a success, and the model is not called.',
  },
  'hook:prompt-block-reason': {
    behaviour: 'The result of a blocked prompt has the reason.',
  },
  'hook:stop-block': {
    behaviour: 'A blocked stop makes the model continue, and the next stop says so.',
  },
  'hook:wrong-event': {
    behaviour: 'An answer for another event makes the call fail.',
  },
  'hook:error-answer': {
    behaviour: 'A callback that answers with an error is ignored, and the call runs.',
  },
  'hook:odd-answer': {
    behaviour: 'A callback whose answer is not an object is ignored, and the call runs.',
  },
  'hook:on-failure-block': {
    behaviour: 'A matcher with `onFailure: block` blocks the call when its callback fails.',
  },
  'hook:timeout-withdrawn': {
    behaviour: 'A callback that is not answered in time is withdrawn.',
  },
  'hook:timeout-blocks': {
    behaviour: 'A callback that is not answered in time blocks the call.',
  },
  'hook:context-before': {
    behaviour: 'The `additionalContext` of a hook before a call reaches the model.',
  },
  'hook:context-after': {
    behaviour: 'The `additionalContext` of a hook after a call reaches the model.',
  },
} as const satisfies Requirements;

/** The events that a conversation with one tool, one failure, one agent and one compaction can fire. */
export const probedEvents = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'SessionStart',
] as const satisfies readonly HookEventName[];

/** An event that is probed. */
export type ProbedEvent = (typeof probedEvents)[number];

/** The requirement that an event reaches its callbacks. */
export type EventId = `hook-event:${ProbedEvent}`;

/** One requirement for each event that is probed. */
export const eventRequirements = Object.fromEntries(
  probedEvents.map((event) => [`hook-event:${event}`, requirementOf(event)]),
) as Readonly<Record<EventId, Requirement>>;

function requirementOf(event: string): Requirement {
  return {
    behaviour: `Callbacks for \`${event}\` are called when it happens.`,
  };
}
