import { EVERY, LATEST, type ProbedVersion, SINCE_2_1_17 } from '../../wire/protocol/catalog/entries.js';

/** Points where the emulator differs from the real CLI that it plays, and why that is accepted. */
export interface AcceptedDifference {
  /** Ids of requirements, and shapes as `shape: name`. */
  readonly what: readonly string[];
  readonly versions: readonly ProbedVersion[];
  readonly reason: string;
}

const OLD: readonly ProbedVersion[] = ['2.0.73', '2.1.17'];

/** Every accepted difference; one that no longer differs fails the tests. */
export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    what: [
      'handshake:system-prompt',
      'handshake:empty-system-prompt',
      'handshake:system-prompt-list',
      'handshake:append-system-prompt',
      'handshake:skills',
      'handshake:title',
      'model:used',
      'model:mid-turn',
      'thinking:budget',
      'hook:context-before',
      'hook:context-after',
      'resume:history',
    ],
    versions: EVERY,
    reason: 'The emulator calls no model, so what reaches one cannot be seen.',
  },
  {
    what: ['handshake:json-schema'],
    versions: EVERY,
    reason: 'The emulator reads no schema: a scenario gives the structured output of a result itself.',
  },
  {
    what: ['rewind:restores', 'rewind:dry-run-harmless'],
    versions: EVERY,
    reason: 'Tools of the emulator write no files, so there are none to put back.',
  },
  {
    what: ['mcp-set:resources'],
    versions: LATEST,
    reason: 'The emulator starts no servers in processes, so they bring nothing into a turn.',
  },
  {
    what: ['permission:local-settings'],
    versions: EVERY,
    reason: 'The emulator writes no settings files; a rule for them holds for the session.',
  },
  {
    what: ['turn:compact', 'hook-event:PreCompact', 'hook-event:SessionStart'],
    versions: EVERY,
    reason: 'The emulator has no commands of its own: a scenario sends what a compaction sends.',
  },
  {
    what: [
      'shape: message system/compact_boundary',
      'shape: request hook_callback PreCompact',
      'shape: request hook_callback SessionStart',
    ],
    versions: EVERY,
    reason: 'It follows from the lack of commands.',
  },
  {
    what: ['turn:clear', 'hook-event:PostCompact', 'shape: request hook_callback PostCompact'],
    versions: LATEST,
    reason: 'It follows from the lack of commands.',
  },
  {
    what: [
      'hook-event:SubagentStart',
      'hook-event:SubagentStop',
      'shape: request hook_callback SubagentStart',
      'shape: request hook_callback SubagentStop',
    ],
    versions: SINCE_2_1_17,
    reason:
      'The emulator plays no sub-agents, apart from the warm-up of 2.0.73: a scenario fires their hooks.',
  },
  {
    what: ['handshake:before-process-servers'],
    versions: OLD,
    reason: 'The emulator starts no servers: one on stdio is connected at once, so nothing is waited for.',
  },
  {
    what: ['mcp:named-twice'],
    versions: OLD,
    reason: 'Old CLIs greet a server twice when it is named twice in time; the emulator greets it once.',
  },
  {
    what: ['elicitation:error-answer'],
    versions: LATEST,
    reason: 'The emulator has no server on stdio that could hear that its form was cancelled.',
  },
  {
    what: ['turn:api-retry', 'shape: message system/api_retry'],
    versions: LATEST,
    reason: 'The emulator calls no model, so no call is tried again: a scenario sends the message.',
  },
  {
    what: ['task:unasked-turn', 'shape: message result unasked'],
    versions: LATEST,
    reason: 'A scenario says when a turn starts by itself; that of the probes does not.',
  },
  {
    what: ['endpoint:claim_session', 'shape: answer claim_session'],
    versions: LATEST,
    reason: 'The emulator cannot be started in advance and claimed later.',
  },
  {
    what: ['shape: answer get_workspace_diff'],
    versions: LATEST,
    reason: 'The emulator looks at no repository and says that there is none.',
  },
];

/** What may differ on a version. What the emulator lacks, it lacks on those between the three as well. */
export function acceptedOn(version: string): ReadonlySet<string> {
  const isListed = EVERY.some((each) => each === version);
  const here = acceptedDifferences.filter(
    ({ versions }) => !isListed || versions.some((each) => each === version),
  );
  return new Set(here.flatMap(({ what }) => what));
}
