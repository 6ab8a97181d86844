import { fullName } from '../ui/names.js';
import type { ConsoleStore } from './console-store.js';
import { promptNews } from './notify.js';
import { go } from './route.js';

/** Notifies by way of the browser while the page is out of sight: which session needs what. Returns how to stop. */
export function notifyOfPrompts(store: ConsoleStore): () => void {
  const shown = new Map<string, Notification>();
  let before = store.get();
  const stop = store.subscribe(() => {
    const after = store.get();
    const { opened, settled } = promptNews(before, after);
    before = after;
    for (const id of settled) {
      shown.get(id)?.close();
      shown.delete(id);
    }
    if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
    for (const { session, id, need } of opened) {
      const notification = new Notification(`${fullName(session, after.sessions)} needs you`, {
        body: `${need}\n${session.cwd}`,
        tag: id,
      });
      notification.onclick = () => {
        window.focus();
        go(session.id);
        notification.close();
      };
      shown.set(id, notification);
    }
  });
  return () => {
    stop();
    for (const notification of shown.values()) notification.close();
  };
}
