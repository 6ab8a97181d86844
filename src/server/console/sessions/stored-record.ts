import {
  either,
  kinds,
  listOf,
  type OptionKind,
  oneOf,
  openShape as open,
} from '../../../wire/util/option-checks.js';
import { consoleStates } from '../../conversation/states.js';
import { storedLimits, storedSchedule } from '../../manager/store/stored-shapes.js';

const aProcess = open({ pid: kinds.count }, { started: kinds.anyText });
const aMode = kinds.anyText;

/** A summary whose state is one of these. */
const summaryIn = (state: OptionKind): OptionKind =>
  open(
    {
      id: kinds.uuid,
      title: kinds.anyText,
      cwd: kinds.text,
      state,
      allows: listOf(kinds.anyText),
      owner: open(
        { name: kinds.anyText, kind: oneOf('page', 'program'), away: kinds.flag },
        { key: kinds.anyText },
      ),
      costUsd: kinds.number,
      tokens: open({
        input: kinds.number,
        output: kinds.number,
        cacheRead: kinds.number,
        cacheCreation: kinds.number,
      }),
      context: open({ tokens: kinds.number }, { window: kinds.number }),
      prompts: listOf(open({ id: kinds.text, kind: kinds.text, at: kinds.number, headline: kinds.anyText })),
      queued: listOf(kinds.text),
      last: kinds.count,
      startedAt: kinds.number,
      changedAt: kinds.number,
    },
    {
      conversation: kinds.text,
      name: kinds.text,
      repository: kinds.text,
      pinned: kinds.flag,
      archived: kinds.flag,
      tags: listOf(kinds.text),
      error: kinds.anyText,
      failed: kinds.flag,
      limitUntil: kinds.text,
      limits: storedLimits,
      cliVersion: kinds.anyText,
      model: kinds.anyText,
      permissionMode: aMode,
      sandbox: kinds.text,
      settingsMode: open({ mode: aMode, file: kinds.anyText }),
      maxThinkingTokens: kinds.count,
      costIsPartial: kinds.flag,
      maxBudgetUsd: kinds.positiveNumber,
      schedule: storedSchedule,
    },
  );

/** The summary of a session that another version may have written: it may know more states. */
export const storedSummary = summaryIn(kinds.text);

/** How a session was opened. */
export const storedOpened = open(
  { cwd: kinds.text },
  {
    title: kinds.anyText,
    model: kinds.anyText,
    permissionMode: aMode,
    maxThinkingTokens: either(kinds.count, kinds.null),
    effort: kinds.text,
    chrome: kinds.flag,
    resume: kinds.text,
    forkSession: kinds.flag,
    maxBudgetUsd: kinds.positiveNumber,
    defer: listOf(kinds.text),
    disabledServers: listOf(kinds.text),
    program: open({ options: kinds.record, initialize: kinds.record }, { detached: kinds.flag }),
  },
);

/** The stored record of a session. */
export const storedSession = open(
  { pid: kinds.count, summary: summaryIn(oneOf(...consoleStates)), opened: storedOpened },
  { started: kinds.anyText, cli: aProcess },
);
