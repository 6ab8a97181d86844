import { useState } from 'react';
import { PushSwitch } from '../device/push-switch.js';
import { useReach } from '../store/context.js';

/** Asks the browser for permission to notify; with it, offers to do that without an open page too. */
export function Bell() {
  const { tell } = useReach();
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
  if (permission === 'granted') return <PushSwitch />;
  if (permission !== 'default') return null;
  const ask = async () => {
    const answer = await Notification.requestPermission();
    setPermission(answer);
    tell(
      answer === 'granted'
        ? 'You get a notification when a session needs you.'
        : 'The browser blocks notifications.',
    );
  };
  return (
    <button type="button" className="quiet" onClick={() => void ask()}>
      Notify me when a session needs me
    </button>
  );
}
