// Shows notifications where a page may not do that itself, as on Android, and leads to the session that one is about. It
// keeps no files and answers no requests.

/** What a service worker has, as far as it is used here: the types of a page do not know it. */
interface Scope {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

interface WorkerEvent {
  readonly notification: Notification;
  waitUntil(work: Promise<unknown>): void;
}

interface Tab {
  postMessage(message: unknown): void;
  focus(): Promise<unknown>;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

async function show(session: string): Promise<void> {
  const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (tab === undefined) {
    await scope.clients.openWindow(`./#/s/${encodeURIComponent(session)}`);
    return;
  }
  tab.postMessage({ show: session });
  await tab.focus();
}
