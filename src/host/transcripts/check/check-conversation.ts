import { type Step, wayThrough } from '../conversation-steps.js';
import type { CheckedLines, CheckedStep } from './check-lines.js';
import type { Findings } from './finding.js';

/** Checks the links between entries of a transcript, and returns the messages that would be sent to the model. */
export function checkConversation({ steps }: CheckedLines, findings: Findings): readonly CheckedStep[] {
  const all = [...steps.values()];
  checkParents(all, steps, findings);
  // A subagent's transcript is a sidechain from its first line on; elsewhere sidechains are not part of the path.
  const isSubagent = all.every(({ step }) => step.isSidechain);
  const own = all.filter(({ step }) => isSubagent || !step.isSidechain);
  // A copy, because finding the path links kept messages again.
  const copies = new Map(own.map(({ step }): [string, Step] => [step.uuid, { ...step }]));
  const way = wayThrough(copies).flatMap(({ uuid }) => steps.get(uuid) ?? []);
  checkTools(way, findings);
  for (const { hasEmptyText, line } of way) {
    if (hasEmptyText) findings.add('EMPTY_TEXT', 'The message has an empty text.', line);
  }
  return way.filter(({ step }) => step.type === 'user' || step.type === 'assistant');
}

function checkParents(
  all: readonly CheckedStep[],
  steps: ReadonlyMap<string, CheckedStep>,
  findings: Findings,
): void {
  const good = new Set<string>();
  for (const { step, line } of all) {
    if (step.parent !== undefined && !steps.has(step.parent)) {
      findings.add(
        'MISSING_PARENT',
        `The parent of this entry is ${step.parent}, which is not in the file.`,
        line,
      );
    }
    if (isLoop(step, steps, good)) {
      findings.add('PARENT_LOOP', `The chain of parents leads back to ${step.uuid}.`, line);
    }
  }
}

/** Whether an entry is its own ancestor; `good` remembers those that lead to a root. */
function isLoop(start: Step, steps: ReadonlyMap<string, CheckedStep>, good: Set<string>): boolean {
  const seen = new Set<string>();
  let uuid: string | undefined = start.uuid;
  while (uuid !== undefined && !good.has(uuid) && !seen.has(uuid)) {
    seen.add(uuid);
    uuid = steps.get(uuid)?.step.parent;
  }
  if (uuid === undefined || good.has(uuid)) {
    for (const each of seen) good.add(each);
    return false;
  }
  return uuid === start.uuid;
}

/** On the path of a resumed session, every call needs its result and every result its call. */
function checkTools(way: readonly CheckedStep[], findings: Findings): void {
  const calls = new Set(way.flatMap((step) => step.calls));
  const answers = new Set(way.flatMap((step) => step.answers));
  for (const step of way) {
    for (const id of step.calls.filter((each) => !answers.has(each))) {
      findings.add('UNANSWERED_TOOL_USE', `Tool call ${id} has no result.`, step.line);
    }
    for (const id of step.answers.filter((each) => !calls.has(each))) {
      findings.add(
        'ORPHAN_TOOL_RESULT',
        `There is a result for ${id}, but no such call before it.`,
        step.line,
      );
    }
  }
}
