import { go } from './route.js';

/** A notification for someone who is looking elsewhere. */
export interface Notice {
  readonly id: string;
  /** The session that it opens. */
  readonly session: string;
  readonly title: string;
  readonly body: string;
}

/**
 * Starts the service worker that shows notifications; without one, as on plain HTTP from another machine, the
 * page tries itself.
 */
export function startNotices(): void {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  workers?.register('service-worker.js').catch(() => {});
  workers?.addEventListener('message', ({ data }) => {
    if (typeof data?.show === 'string') go(data.show);
  });
}

/** Notifications shown by the browser. If one fails, only the notification is lost. */
export class Notices {
  /** By id, the notification that is shown or about to be: how to remove it. */
  readonly #shown = new Map<string, Promise<() => void>>();

  show(notice: Notice): void {
    this.#shown.set(notice.id, show(notice));
  }

  close(id: string): void {
    void this.#shown.get(id)?.then((close) => close());
    this.#shown.delete(id);
  }

  closeAll(): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
  }
}

async function show(notice: Notice): Promise<() => void> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const worker = await workers?.getRegistration();
    return worker?.active == null ? showHere(notice) : await showBy(worker, notice);
  } catch {
    // The browser does not allow it: the page itself has the prompt.
    return () => {};
  }
}

async function showBy(
  worker: ServiceWorkerRegistration,
  { id, session, title, body }: Notice,
): Promise<() => void> {
  await worker.showNotification(title, { body, tag: id, data: session });
  return async () => {
    for (const each of await worker.getNotifications({ tag: id })) each.close();
  };
}

function showHere({ id, session, title, body }: Notice): () => void {
  const notification = new Notification(title, { body, tag: id });
  notification.onclick = () => {
    window.focus();
    go(session);
    notification.close();
  };
  return () => notification.close();
}
