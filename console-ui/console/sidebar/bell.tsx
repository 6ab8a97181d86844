import { useState } from 'react';
import { useReach } from '../store/context.js';

/** Asks the browser for permission to notify; disappears once that is decided. */
export function Bell() {
  const { tell } = useReach();
  const [permission, setPermission] = useState(() =>
    'Notification' in window ? Notification.permission : 'denied',
  );
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
