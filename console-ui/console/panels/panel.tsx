import { type ReactNode, useEffect, useRef } from 'react';
import type { Fresh } from './use-fresh.js';

/** The frame of a panel with freshly queried content. */
export function Panel({
  title,
  connected,
  fresh,
  busy = false,
  children,
}: {
  title: string;
  connected: boolean;
  fresh: Pick<Fresh<unknown>, 'asking' | 'problem' | 'ask'>;
  /** Whether an action is running, after which the content is outdated. */
  busy?: boolean;
  children: ReactNode;
}) {
  const { panel, onFocus } = useSameFocus(fresh.asking);
  return (
    <section
      ref={panel}
      className="panel"
      aria-label={title}
      aria-busy={fresh.asking || busy}
      onFocus={onFocus}
    >
      <header className="panel-head">
        <h2>{title}</h2>
        {connected && (
          <button
            type="button"
            className="quiet small"
            data-focus="ask"
            disabled={fresh.asking}
            onClick={fresh.ask}
          >
            Refresh
          </button>
        )}
      </header>
      {!connected && <p className="faint">This session is not connected.</p>}
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

/**
 * The content disappears while the CLI is queried again, and the pressed button with it. The button that replaces it,
 * identified by its `data-focus`, then gets the focus.
 */
function useSameFocus(asking: boolean) {
  const panel = useRef<HTMLElement>(null);
  const last = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (asking || last.current === undefined || document.activeElement !== document.body) return;
    panel.current?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(last.current)}"]`)?.focus();
  }, [asking]);
  const onFocus = ({ target }: { readonly target: EventTarget }) => {
    last.current = target instanceof HTMLElement ? target.dataset.focus : undefined;
  };
  return { panel, onFocus };
}
