import type { ReactNode } from 'react';
import type { Fresh } from './use-fresh.js';

/** The frame of a panel whose content was asked for just now. */
export function Panel({
  title,
  connected,
  fresh,
  children,
}: {
  title: string;
  connected: boolean;
  fresh: Pick<Fresh<unknown>, 'asking' | 'problem' | 'ask'>;
  children: ReactNode;
}) {
  return (
    <section className="panel" aria-label={title} aria-busy={fresh.asking}>
      <header className="panel-head">
        <h2>{title}</h2>
        {connected && (
          <button type="button" className="quiet small" disabled={fresh.asking} onClick={fresh.ask}>
            Ask again
          </button>
        )}
      </header>
      {!connected && <p className="faint">This session is not connected, so nothing was asked.</p>}
      {fresh.asking && (
        <p className="faint" role="status">
          Asking the CLI…
        </p>
      )}
      {fresh.problem !== undefined && <p className="problem">{fresh.problem}</p>}
      {children}
    </section>
  );
}
