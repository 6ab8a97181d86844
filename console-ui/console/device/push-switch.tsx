import { useEffect, useState } from 'react';
import { failureText, useIsOpen, useReach, useWatchOnly } from '../store/context.js';
import { isPushOn, turnPushOff, turnPushOn } from './push.js';

/** Turns on messages to this browser while no page is open; empty where the browser cannot get them. */
export function PushSwitch() {
  const { link, tell } = useReach();
  const isOpen = useIsOpen();
  const watchOnly = useWatchOnly();
  const [on, setOn] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (isOpen && !watchOnly) isPushOn(link).then(setOn, () => setOn(undefined));
  }, [isOpen, watchOnly, link]);
  if (on === undefined || watchOnly) return null;
  const change = async (wanted: boolean) => {
    setBusy(true);
    try {
      await (wanted ? turnPushOn(link) : turnPushOff(link));
      setOn(wanted);
      tell(wanted ? 'You also get a notification when no page is open.' : 'No more without an open page.');
    } catch (error) {
      tell(`This browser could not be subscribed: ${failureText(error)}`, 'error');
    } finally {
      setBusy(false);
    }
  };
  return (
    <label className="push-switch">
      <input
        type="checkbox"
        checked={on}
        disabled={busy || !isOpen}
        onChange={(event) => void change(event.target.checked)}
      />
      Notify me when no page is open
    </label>
  );
}
