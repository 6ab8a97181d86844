import { checkInput } from '../../../host/session/turns/user-message.js';
import {
  either,
  kind,
  kinds,
  listOf,
  oneOf,
  openShape as open,
  recordOf,
} from '../../../wire/util/option-checks.js';

const input = kind('a message for the CLI', (value) => {
  try {
    checkInput(value as never);
    return true;
  } catch {
    return false;
  }
});

const usage = open({
  costUsd: kinds.number,
  inputTokens: kinds.number,
  outputTokens: kinds.number,
  cacheReadInputTokens: kinds.number,
  cacheCreationInputTokens: kinds.number,
});

const prompt = open(
  { id: kinds.text, body: open({ tool_name: kinds.text, input: kinds.record }) },
  { answer: kinds.record, toldIn: kinds.text, deferred: kinds.flag },
);

/** The stored usage limits of a login. */
export const storedLimits = open(
  {
    login: kinds.text,
    status: kinds.anyText,
    windows: listOf(open({ name: kinds.text, utilization: kinds.number }, { resetsAt: kinds.number })),
    overage: kinds.flag,
    at: kinds.number,
  },
  {},
);

/** The stored schedule of a conversation. */
export const storedSchedule = open(
  { cron: kinds.text, timezone: kinds.text, text: kinds.text },
  { missed: oneOf('skip', 'once'), nextAt: kinds.number },
);

/** The stored record of a conversation. */
export const storedConversation = open(
  {
    name: kinds.text,
    owner: kinds.anyText,
    priority: kinds.number,
    createdAt: kinds.number,
    usedAt: kinds.number,
    options: kinds.record,
    crashes: kinds.count,
    costUsd: kinds.number,
  },
  {
    sessionId: kinds.text,
    givenId: kinds.text,
    startedAs: kinds.text,
    workspace: either(
      oneOf('shared', 'worktree'),
      open({ worktree: kinds.anyText }),
      open({ path: kinds.text }),
    ),
    defer: listOf(kinds.text),
    failure: open({ message: kinds.anyText, stderr: kinds.anyText, at: kinds.number }),
    limitUntil: kinds.number,
    limits: kinds.count,
    usage,
    budgetUsd: kinds.number,
    raised: recordOf(kinds.number),
    schedule: storedSchedule,
    prompts: listOf(prompt),
  },
);

/** The stored record of a message. */
export const storedMessage = open(
  {
    id: kinds.text,
    conversation: kinds.text,
    order: kinds.number,
    input,
    state: oneOf('held', 'sent', 'again', 'deferred'),
    resend: kinds.flag,
  },
  {
    sentAs: kinds.text,
    joins: kinds.flag,
    onLimit: oneOf('wait', 'fail'),
    by: open({ client: kinds.anyText, name: kinds.anyText }, { key: kinds.anyText }),
    placed: open({}, { priority: oneOf('now', 'next', 'later'), parentUuid: either(kinds.text, kinds.null) }),
  },
);
