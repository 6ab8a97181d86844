import type { HistoryEntry } from '../../../src/entry/remote/contract.js';
import { useCommands, useConsole } from '../store/context.js';
import { go } from '../store/route.js';

/** Shows a conversation on disk: in its existing session, or in a new one that resumes it. */
export function useResume(): {
  readonly busy: boolean;
  /** With words to search for in it. */
  readonly resume: (entry: HistoryEntry, find?: string) => Promise<void>;
} {
  const { run, busy } = useCommands();
  const roots = useConsole(({ hello }) => hello?.roots);
  const resume = async ({ conversation, cwd, title, session }: HistoryEntry, find?: string) => {
    if (session !== undefined) {
      go(session, 'conversation', find);
      return;
    }
    const value = await run('open', { cwd: cwd ?? roots?.[0] ?? '', resume: conversation, title });
    if (value !== undefined) go(value.session, 'conversation', find);
  };
  return { busy, resume };
}
