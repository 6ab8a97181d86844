import { isObject } from '../../../wire/protocol/frames.js';
import { plainLine } from '../../../wire/util/plain.js';
import type { ServedSessions } from '../sessions/served-session.js';
import type { ReceivedCommand } from './command.js';

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
    open: () => `${word(params.cwd)}${params.program === undefined ? '' : ' (by a program)'}`,
    control: () => word(params.subtype),
    setPermissionMode: () => word(params.mode),
    setModel: () => word(params.model),
    setBudget: () => word(params.usd),
  };
  const tell = Object.hasOwn(words, name) ? words[name as keyof typeof words] : undefined;
  return tell === undefined ? undefined : plainLine(tell());
}

/** Nothing is validated yet: an object with a custom `toString` would throw. */
function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
