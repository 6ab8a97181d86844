import type { CommandName, Role } from '../../../entry/remote/contract.js';
import { isObject } from '../../../wire/protocol/frames.js';

/**
 * Whether a role may run a command: always, never, or with some parameters. They have not been validated yet.
 */
export type Rule = boolean | ((params: unknown) => boolean);

/** What each role may do, command by command. Nothing else decides it. */
const policy: { readonly [Name in CommandName]: Readonly<Record<Role, Rule>> } = {
  open: { owner: true, operator: opensAsking, watcher: false },
  history: { owner: true, operator: true, watcher: false },
  'history.messages': { owner: true, operator: true, watcher: false },
  'history.search': { owner: true, operator: true, watcher: false },
  'history.usage': { owner: true, operator: true, watcher: false },
  folders: { owner: true, operator: true, watcher: false },
  'mcp.all': { owner: true, operator: false, watcher: false },
  worktrees: { owner: true, operator: true, watcher: false },
  'worktrees.end': { owner: true, operator: false, watcher: false },
  'webhooks.list': { owner: true, operator: false, watcher: false },
  'webhooks.add': { owner: true, operator: false, watcher: false },
  'webhooks.remove': { owner: true, operator: false, watcher: false },
  'webhooks.failed': { owner: true, operator: false, watcher: false },
  'webhooks.retry': { owner: true, operator: false, watcher: false },
  'webhooks.forget': { owner: true, operator: false, watcher: false },
  close: { owner: true, operator: true, watcher: false },
  remove: { owner: true, operator: false, watcher: false },
  reopen: { owner: true, operator: true, watcher: false },
  park: { owner: true, operator: true, watcher: false },
  send: {
    owner: true,
    operator: (params) => isObject(params) && params.message === undefined,
    watcher: false,
  },
  unsend: { owner: true, operator: true, watcher: false },
  interrupt: { owner: true, operator: true, watcher: false },
  answer: { owner: true, operator: answersOnce, watcher: false },
  rename: { owner: true, operator: true, watcher: false },
  setBudget: { owner: true, operator: false, watcher: false },
  setModel: { owner: true, operator: true, watcher: false },
  setPermissionMode: {
    owner: true,
    operator: (params) => isObject(params) && isAsking(params.mode),
    watcher: false,
  },
  setThinking: { owner: true, operator: true, watcher: false },
  rewind: { owner: true, operator: (params) => isObject(params) && params.dryRun === true, watcher: false },
  background: { owner: true, operator: true, watcher: false },
  stopTask: { owner: true, operator: true, watcher: false },
  taskOutput: { owner: true, operator: true, watcher: false },
  contextUsage: { owner: true, operator: true, watcher: false },
  files: { owner: true, operator: true, watcher: false },
  file: { owner: true, operator: true, watcher: false },
  changes: { owner: true, operator: true, watcher: false },
  change: { owner: true, operator: true, watcher: false },
  info: { owner: true, operator: true, watcher: false },
  'mcp.status': { owner: true, operator: true, watcher: false },
  'mcp.tools': { owner: true, operator: true, watcher: false },
  supports: { owner: true, operator: true, watcher: false },
  'mcp.set': { owner: true, operator: false, watcher: false },
  'mcp.add': { owner: true, operator: false, watcher: false },
  'mcp.remove': { owner: true, operator: false, watcher: false },
  'mcp.reconnect': { owner: true, operator: false, watcher: false },
  'mcp.enable': { owner: true, operator: false, watcher: false },
  'mcp.disable': { owner: true, operator: false, watcher: false },
  'mcp.signIn': { owner: true, operator: false, watcher: false },
  'mcp.signInDone': { owner: true, operator: false, watcher: false },
  'mcp.signOut': { owner: true, operator: false, watcher: false },
  hooks: { owner: true, operator: true, watcher: false },
  'chrome.status': { owner: true, operator: true, watcher: false },
  'chrome.select': { owner: true, operator: false, watcher: false },
  'chrome.reconnect': { owner: true, operator: false, watcher: false },
  control: { owner: true, operator: false, watcher: false },
  reply: { owner: true, operator: false, watcher: false },
};

/** Whether a role may run a command with these parameters. A command that is in no table is forbidden. */
export function mayRun(role: Role, name: string, params: unknown): boolean {
  if (!Object.hasOwn(policy, name)) return false;
  const rule = policy[name as CommandName][role];
  return typeof rule === 'function' ? rule(params) : rule;
}

/** The modes in which the CLI asks before it does something. */
const ASKING: ReadonlySet<unknown> = new Set(['default', 'plan']);

/** Whether the CLI asks in a mode. */
function isAsking(mode: unknown): boolean {
  return ASKING.has(mode);
}

/** Without command-line options, only in modes that ask, and without git branches and hooks. */
function opensAsking(params: unknown): boolean {
  if (!isObject(params)) return false;
  const { program, permissionMode, workspace } = params;
  if (workspace !== undefined && workspace !== 'shared') return false;
  return program === undefined && (permissionMode === undefined || isAsking(permissionMode));
}

/** Only this once: without lasting rules, modes or budgets, and not in wire format, which can contain them. */
function answersOnce(params: unknown): boolean {
  const answer = isObject(params) && isObject(params.answer) ? params.answer : {};
  if (answer.answer === 'raw' || answer.answer === 'raise' || answer.remember !== undefined) return false;
  return answer.permissions === undefined && (answer.mode === undefined || isAsking(answer.mode));
}
