import { OFFICIAL_NAMES, sessionOptionSpecs } from '../../../host/session/session-option-table.js';
import {
  checkOptions,
  either,
  kind,
  kinds,
  listOf,
  type OptionSpecs,
  oneOf,
  shapeOf,
} from '../../../wire/util/option-checks.js';
import type { ConversationOptions, LaunchOptions } from '../manager-options.js';
import type { ConversationSendOptions } from './conversation.js';

const {
  resume: _r,
  continue: _c,
  sessionId: _s,
  forkSession: _f,
  reopen: _o,
  ...launch
} = sessionOptionSpecs;
const launchSpecs: Readonly<Record<keyof LaunchOptions, OptionSpecs[string]>> = launch;

/** Options of sessions that the manager sets itself. */
const FOREIGN = {
  ...OFFICIAL_NAMES,
  resume: 'the manager resumes by itself; "id" opens a conversation that is on disk.',
  continue: 'the manager resumes by itself; "id" opens a conversation that is on disk.',
  sessionId: 'it is "id" here.',
  forkSession: 'fork the session first, and open the copy with "id".',
  reopen: 'the manager starts CLIs by itself.',
};

/** Git would read a leading dash as an option, and a colon as two names. */
const ref = kind(
  'a branch, tag or commit',
  (value) => typeof value === 'string' && /^[^-\s:][^\s:]*$/.test(value),
);
const conversationSpecs: Readonly<Record<keyof ConversationOptions, OptionSpecs[string]>> = {
  ...launchSpecs,
  owner: { kind: kinds.text, sentence: 'The owner; owners take turns at free slots.' },
  priority: { kind: kinds.number, sentence: 'Higher goes first.' },
  workspace: {
    kind: either(
      oneOf('shared', 'worktree'),
      shapeOf({ worktree: ref }, { required: ['worktree'] }),
      shapeOf({ path: kinds.text }, { required: ['path'] }),
    ),
    sentence: 'Where it works.',
  },
  id: { kind: kinds.uuid, sentence: 'The CLI’s id of the conversation.' },
  defer: { kind: listOf(kinds.text), sentence: 'Names of tools whose calls are deferred.' },
  usedBefore: { kind: kinds.record, sentence: 'What it had used before it came here.' },
  askedBefore: { kind: listOf(kinds.record), sentence: 'Prompts that were open before it came here.' },
};

const sendSpecs: Readonly<Record<keyof ConversationSendOptions, OptionSpecs[string]>> = {
  whileBusy: {
    kind: oneOf('enqueue', 'join', 'reject', 'interrupt', 'replace'),
    sentence: 'What to do while a turn runs or waits.',
  },
  resend: { kind: kinds.flag, sentence: 'Whether to send it to the next CLI.' },
  onLimit: { kind: oneOf('wait', 'fail'), sentence: 'What to do at a usage limit.' },
  uuid: { kind: kinds.text, sentence: 'The message’s own id.' },
  priority: { kind: oneOf('now', 'next', 'later'), sentence: 'When the CLI should process it.' },
  parentUuid: { kind: either(kinds.text, kinds.null), sentence: 'The parent message.' },
  signal: sessionOptionSpecs.signal,
};

/** @throws OptionError for a launch option that is wrong, or that the manager sets itself. */
export function checkLaunchOptions(options: LaunchOptions): void {
  checkOptions(launchSpecs, options, [], FOREIGN);
}

/** @throws OptionError for a wrong option of a conversation. */
export function checkConversationOptions(options: ConversationOptions): void {
  checkOptions(conversationSpecs, options, [], FOREIGN);
}

/** @throws OptionError for a wrong option of sending a message. */
export function checkSendOptions(options: ConversationSendOptions): void {
  checkOptions(sendSpecs, options);
}
