import { useEffect, useState } from 'react';

/** An event of browsers that can install a page; not standardized yet. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

/** Offers to install the page if the browser can do that and it is not installed yet. */
export function Install() {
  const [offer, setOffer] = useState<InstallEvent>();
  useEffect(() => {
    const keep = (event: Event) => {
      event.preventDefault();
      setOffer(event as InstallEvent);
    };
    const forget = () => setOffer(undefined);
    addEventListener('beforeinstallprompt', keep);
    addEventListener('appinstalled', forget);
    return () => {
      removeEventListener('beforeinstallprompt', keep);
      removeEventListener('appinstalled', forget);
    };
  }, []);
  if (offer === undefined) return null;
  return (
    <button
      type="button"
      className="quiet"
      onClick={() => {
        setOffer(undefined);
        void offer.prompt();
      }}
    >
      Install as an app
    </button>
  );
}
