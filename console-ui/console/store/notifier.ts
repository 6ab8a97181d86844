import { fullName } from '../ui/names.js';
import type { ConsoleStore } from './console-store.js';
import { Notices } from './notices.js';
import { promptNews } from './notify.js';

/** Shows browser notifications while nobody looks at the page: which session needs what. Returns how to stop. */
export function notifyOfPrompts(store: ConsoleStore): () => void {
  const notices = new Notices();
  let before = store.get();
  const stop = store.subscribe(() => {
    const after = store.get();
    const { opened, settled } = promptNews(before, after);
    before = after;
    for (const id of settled) notices.close(id);
    if (document.hasFocus() && !document.hidden) return;
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    for (const { session, id, need } of opened) {
      const title = `${fullName(session, after.sessions)} needs you`;
      notices.show({ id, session: session.id, title, body: `${need}\n${session.cwd}` });
    }
  });
  return () => {
    stop();
    notices.closeAll();
  };
}
