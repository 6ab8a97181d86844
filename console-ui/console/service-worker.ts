// Shows notifications where a page may not do that itself, as on Android, and opens the session of a notification. It
// caches no files and answers no requests.

/** The parts of a service worker that we use: the types of a page do not include them. */
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
