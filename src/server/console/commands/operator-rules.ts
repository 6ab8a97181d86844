import { isObject } from '../../../wire/protocol/frames.js';

/** With which parameters an operator may run an owner's command. They have not been validated yet. */
export type OperatorRule = (params: unknown) => boolean;

/** The modes in which the CLI asks before it does something. */
const ASKING: ReadonlySet<unknown> = new Set(['default', 'plan']);

/** Opens without command-line options, only in modes that ask, and without a browser, git branches and hooks. */
export const opensAsking: OperatorRule = (params) => {
  if (!isObject(params)) return false;
  const { program, permissionMode, workspace, chrome } = params;
  if (chrome === true) return false;
  if (workspace !== undefined && workspace !== 'shared') return false;
  return program === undefined && (permissionMode === undefined || ASKING.has(permissionMode));
};

/** Sends content, not a whole message: the fields around it may contain a mode. */
export const sendsContent: OperatorRule = (params) => isObject(params) && params.message === undefined;

/** Only this once: without lasting rules, modes or budgets, and not in wire format, which can contain them. */
export const answersOnce: OperatorRule = (params) => {
  const answer = isObject(params) && isObject(params.answer) ? params.answer : {};
  if (answer.answer === 'raw' || answer.answer === 'raise' || answer.remember !== undefined) return false;
  return answer.permissions === undefined && (answer.mode === undefined || ASKING.has(answer.mode));
};

/** Switches to a mode in which the CLI asks. */
export const switchesToAsking: OperatorRule = (params) => isObject(params) && ASKING.has(params.mode);

/** Only reports what would change. */
export const rewindsDry: OperatorRule = (params) => isObject(params) && params.dryRun === true;
