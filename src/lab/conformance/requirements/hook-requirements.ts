import type { HookEventName } from '../../../wire/protocol/catalog/catalog.js';
import { OLD_FAIL, OLDEST_FAILS, type Requirement, type Requirements } from '../requirement.js';

/** Hook callbacks: when they are asked, and what their answers do. */
export const hookRequirements = {
  'hook:callback': {
    behaviour: 'A hook callback is asked by its id, with the input of the event and the id of the tool call.',
    source: 'protocol.md §3.3',
  },
  'hook:base-input': {
    behaviour:
      'The input of each hook has the session, the transcript, the folder and the name of the event.',
    source: 'protocol.md §3.3',
  },
  'hook:matcher-name': {
    behaviour: 'A matcher can be the name of a tool; other tools do not fire it.',
    source: 'protocol.md §3.3',
  },
  'hook:matcher-alternatives': {
    behaviour: 'A matcher can list names with a bar between them.',
    source: 'protocol.md §3.3',
  },
  'hook:matcher-pattern': {
    behaviour: 'A matcher can be a regular expression.',
    source: 'protocol.md §3.3',
  },
  'hook:matcher-any': {
    behaviour: 'A matcher that is a star or absent fits every tool.',
    source: 'protocol.md §3.3',
  },
  'hook:all-at-once': {
    behaviour: 'All callbacks that match are asked at once.',
    source: 'protocol.md §3.3',
  },
  'hook:block': {
    behaviour: 'A hook that blocks keeps the call from running and from asking; its reason is the result.',
    source: 'protocol.md §3.3',
  },
  'hook:deny': {
    behaviour: 'A hook that denies keeps the call from running and from asking; its reason is the result.',
    source: 'protocol.md §3.3',
  },
  'hook:allow': {
    behaviour: 'A call that a hook allows does not ask.',
    source: 'protocol.md §3.3',
  },
  'hook:allow-changed-input': {
    behaviour: 'A call that a hook allows with `updatedInput` runs with that.',
    source: 'protocol.md §3.3',
  },
  'hook:changed-input-alone': {
    behaviour: 'A hook can change the input of a call without deciding about it.',
    source: 'protocol.md §3.3',
    except: OLDEST_FAILS,
  },
  'hook:ask': {
    behaviour: 'A hook that says `ask` makes a call ask that would not have.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'hook:deny-wins': {
    behaviour: 'Where one hook allows and another denies, the call is denied.',
    source: 'protocol.md §3.3',
  },
  'hook:stop': {
    behaviour: 'A hook that says `continue: false` lets the call run and then ends the turn.',
    source: 'protocol.md §3.3',
  },
  'hook:prompt-block': {
    behaviour: 'A blocked prompt ends its turn as a success, and the model is not called.',
    source: 'protocol.md §3.3',
  },
  'hook:prompt-block-reason': {
    behaviour: 'The result of a blocked prompt has the reason.',
    source: 'protocol.md §3.3',
    except: OLD_FAIL,
  },
  'hook:stop-block': {
    behaviour: 'A blocked stop makes the model go on, and the next stop says so.',
    source: 'protocol.md §3.3',
  },
  'hook:wrong-event': {
    behaviour: 'An answer for another event makes the call fail.',
    source: 'protocol.md §3.3',
  },
  'hook:error-answer': {
    behaviour: 'A callback that answers with an error is passed over, and the call runs.',
    source: 'protocol.md §3.3',
  },
  'hook:odd-answer': {
    behaviour: 'A callback that answers with no object is passed over, and the call runs.',
    source: 'protocol.md §3.3',
  },
  'hook:on-failure-block': {
    behaviour: 'A matcher with `onFailure: block` blocks the call when its callback fails.',
    source: 'protocol.md §3.3',
    except: OLD_FAIL,
  },
  'hook:timeout-withdrawn': {
    behaviour: 'A callback that is not answered in time is withdrawn.',
    source: 'protocol.md §3.3',
  },
  'hook:timeout-blocks': {
    behaviour: 'A callback that is not answered in time blocks the call.',
    source: 'protocol.md §1.2',
    except: OLD_FAIL,
  },
  'hook:context-before': {
    behaviour: 'The `additionalContext` of a hook before a call reaches the model.',
    source: 'protocol.md §3.3',
    except: OLDEST_FAILS,
  },
  'hook:context-after': {
    behaviour: 'The `additionalContext` of a hook after a call reaches the model.',
    source: 'protocol.md §3.3',
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

/** The requirement that an event reaches its callbacks. */
export type EventId = `hook-event:${(typeof probedEvents)[number]}`;

const LATEST_EVENTS: readonly string[] = ['PostToolBatch', 'PermissionRequest', 'StopFailure', 'PostCompact'];

/** One requirement for each event that is probed. */
export const eventRequirements = Object.fromEntries(
  probedEvents.map((event) => [`hook-event:${event}`, requirementOf(event)]),
) as Readonly<Record<EventId, Requirement>>;

function requirementOf(event: string): Requirement {
  return {
    behaviour: `Callbacks for \`${event}\` are asked when it happens.`,
    source: 'protocol.md §3.3',
    ...(LATEST_EVENTS.includes(event) ? { except: OLD_FAIL } : {}),
  };
}
