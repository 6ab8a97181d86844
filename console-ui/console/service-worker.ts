// Shows notifications where a page may not do that itself, as on Android, or when no page is open, and opens the session of
// a notification. It caches no files and answers no requests.

/** The parts of a service worker that we use: the types of a page do not include them. */
interface Scope {
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: object): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
}

interface WorkerEvent {
  readonly notification: Notification;
  readonly data: { text(): string } | null;
  waitUntil(work: Promise<unknown>): void;
}

interface Tab {
  postMessage(message: unknown): void;
  focus(): Promise<unknown>;
}

const scope = globalThis as unknown as Scope;

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('push', (event) => event.waitUntil(tell(event.data?.text() ?? '')));
scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

/** An open page shows a notification with the same tag: one replaces the other. */
async function tell(text: string): Promise<void> {
  const { title, body, tag, session } = readMessage(text);
  await scope.registration.showNotification(String(title), { body, tag, data: session });
}

/** Browsers punish a message that shows nothing, so one that cannot be read shows something too. */
function readMessage(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text);
  } catch {
    return { title: 'A session needs you', tag: 'push' };
  }
}

async function show(session: string): Promise<void> {
  const [tab] = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (tab === undefined) {
    await scope.clients.openWindow(`./#/s/${encodeURIComponent(session)}`);
    return;
  }
  tab.postMessage({ show: session });
  await tab.focus();
}
