import type { Attachment } from '../composer/attachments.js';
import { keepAttachments } from '../composer/kept-attachments.js';
import { putDraft } from '../composer/use-draft.js';
import { failureText, useCommands, useReach } from '../store/context.js';
import { go } from '../store/route.js';
import { titleOf } from '../ui/names.js';

/** Where a copy ends, and what is put into the composer there. */
export interface ForkPoint {
  /** The copy ends before this message. */
  readonly before: string;
  readonly draft: string;
  readonly attachments: readonly Attachment[];
}

/** Opens a copy of a conversation, whole or up to a message, and shows it. The original stays unchanged. */
export function useFork(): {
  readonly busy: boolean;
  readonly fork: (session: string, point?: ForkPoint) => Promise<void>;
} {
  const { store, tell } = useReach();
  const { run, busy } = useCommands();
  const fork = async (id: string, point?: ForkPoint) => {
    const { sessions, hello } = store.get();
    const session = sessions.get(id);
    if (session === undefined) return;
    const { cwd, conversation: resume, model, permissionMode } = session;
    // Options that an operator may not choose get the defaults of a new session.
    const mode = hello?.role === 'owner' || permissionMode === 'plan' ? { permissionMode } : {};
    const cut = point === undefined ? {} : { before: point.before };
    const title = `${titleOf(session)} (fork)`;
    const value = await run('open', { cwd, resume, forkSession: true, model, title, ...mode, ...cut });
    if (value === undefined) return;
    if (point !== undefined) {
      putDraft(value.session, point.draft);
      try {
        keepAttachments(value.session, point.attachments);
      } catch (error) {
        tell(failureText(error), 'error');
      }
    }
    go(value.session);
  };
  return { busy, fork };
}
