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
  readonly #shown = new Map<string, Promise<Close>>();
  /** Chromium forgets a notification that it is about to show when another one is looked for: one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  show(notice: Notice): void {
    this.#shown.set(
      notice.id,
      this.#next(() => show(notice)),
    );
  }

  close(id: string): void {
    const shown = this.#shown.get(id);
    this.#shown.delete(id);
    // What fails is reported there.
    if (shown !== undefined) this.#next(async () => (await shown)()).catch(() => {});
  }

  closeAll(): void {
    for (const id of [...this.#shown.keys()]) this.close(id);
  }

  #next<Value>(step: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(step);
    this.#last = done.catch(reportError);
    return done;
  }
}

/** Removes a notification. */
type Close = () => void | Promise<void>;

async function show(notice: Notice): Promise<Close> {
  try {
    const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const worker = await workers?.getRegistration();
    return worker?.active == null ? showHere(notice) : await showBy(worker, notice);
  } catch (error) {
    // The page itself has the prompt.
    reportError(error);
    return () => {};
  }
}

async function showBy(
  worker: ServiceWorkerRegistration,
  { id, session, title, body }: Notice,
): Promise<Close> {
  await worker.showNotification(title, { body, tag: id, data: session });
  return async () => {
    for (const each of await worker.getNotifications({ tag: id })) each.close();
  };
}

function showHere({ id, session, title, body }: Notice): Close {
  const notification = new Notification(title, { body, tag: id });
  notification.onclick = () => {
    window.focus();
    go(session);
    notification.close();
  };
  return () => notification.close();
}
