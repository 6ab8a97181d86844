import { isObject } from '../../../wire/protocol/frames.js';
import { plainLine } from '../../../wire/util/plain.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { ReceivedCommand } from './command.js';
import type { CommandResult } from './command-result.js';

/** A command's subject for the audit log, in one line: which prompt and answer, which mode, which request. */
export function aboutCommand(
  { name, session, params }: ReceivedCommand,
  registry: ServedSessions,
): string | undefined {
  if (!isObject(params)) return undefined;
  const words = {
    answer: () => {
      const { prompt: id, answer } = params;
      const prompts = registry.all.find((each) => each.id === session)?.summary.prompts ?? [];
      const asked = prompts.find((each) => each.id === id)?.headline ?? 'a prompt that is not open';
      return `${isObject(answer) ? word(answer.answer) : '?'}: ${asked}`;
    },
    open: () => {
      const where =
        params.workspace === 'worktree' ? `a new worktree of ${word(params.cwd)}` : word(params.cwd);
      return `${where}${params.program === undefined ? '' : ' (by a program)'}`;
    },
    'worktrees.end': () => `${word(params.how)}: ${word(params.worktree)}`,
    'file.save': () => word(params.path),
    'git.stage': () => word(params.path),
    'git.unstage': () => word(params.path),
    'git.commit': () => word(params.message),
    'devices.revoke': () => word(params.device),
    control: () => word(params.subtype),
    setPermissionMode: () => word(params.mode),
    setModel: () => word(params.model),
    setBudget: () => word(params.usd),
  };
  const tell = Object.hasOwn(words, name) ? words[name as keyof typeof words] : undefined;
  return tell === undefined ? undefined : plainLine(tell());
}

/** What the audit log says about a session that was opened: its id and, in a new worktree, its folder. */
export function aboutOpened(
  { name, params }: ReceivedCommand,
  result: CommandResult,
  registry: ServedSessions,
): { readonly session: string; readonly folder: string | undefined } | undefined {
  if (name !== 'open' || !result.ok || !isObject(result.value)) return undefined;
  const { session } = result.value;
  if (typeof session !== 'string') return undefined;
  const isNew = isObject(params) && params.workspace === 'worktree';
  const cwd = registry.all.find(({ id }) => id === session)?.summary.cwd;
  return { session, folder: isNew && cwd !== undefined ? plainLine(cwd) : undefined };
}

/** Nothing is validated yet: an object with a custom `toString` would throw. */
function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
