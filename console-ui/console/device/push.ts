import type { Link } from '../link/link.js';

/** The browser's part in messages without an open page; undefined where it has none, as on plain HTTP. */
async function pushManager(): Promise<PushManager | undefined> {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers === undefined || !('PushManager' in window)) return undefined;
  const registration = await workers.getRegistration();
  return registration?.pushManager;
}

/** Whether this browser gets messages from this server; undefined if it cannot. */
export async function isPushOn(link: Link): Promise<boolean | undefined> {
  const manager = await pushManager();
  if (manager === undefined) return undefined;
  const subscription = await manager.getSubscription();
  const endpoint = subscription?.endpoint;
  return (await link.command('push', endpoint === undefined ? {} : { endpoint })).on;
}

/** Subscribes this browser at its push service, and tells the server. */
export async function turnPushOn(link: Link): Promise<void> {
  const manager = await pushManager();
  if (manager === undefined) return;
  const { key } = await link.command('push', {});
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = await manager.subscribe(options).catch(async () => {
    // The server may have had another key when this browser subscribed.
    await (await manager.getSubscription())?.unsubscribe();
    return manager.subscribe(options);
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  await link.command('push.add', { endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' });
}

/** Ends both. */
export async function turnPushOff(link: Link): Promise<void> {
  const subscription = await (await pushManager())?.getSubscription();
  if (subscription == null) return;
  await link.command('push.remove', { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
