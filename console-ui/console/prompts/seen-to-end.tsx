import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the whole request has been visible once. What nobody saw, nobody can allow. */
export function useSeenToEnd(): { readonly end: RefObject<HTMLDivElement | null>; readonly seen: boolean } {
  const end = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const mark = end.current;
    const all = mark?.parentElement;
    if (mark === null || all == null || seen) return;
    let inView = false;
    // Collapsed content was not seen, although the end of the rest may be visible.
    const check = () => inView && all.querySelector('[data-cut]') === null && setSeen(true);
    const views = new IntersectionObserver((entries) => {
      inView = entries.at(-1)?.isIntersecting === true;
      check();
    });
    const changes = new MutationObserver(() => {
      // Only the next check knows where the end is now.
      inView = false;
      views.unobserve(mark);
      views.observe(mark);
    });
    views.observe(mark);
    changes.observe(all, { childList: true, subtree: true });
    return () => {
      views.disconnect();
      changes.disconnect();
    };
  }, [seen]);
  return { end, seen };
}

/** The full request, with a marker at its end. */
export function ToTheEnd({
  end,
  seen,
  children,
}: {
  end: RefObject<HTMLDivElement | null>;
  seen: boolean;
  children: ReactNode;
}) {
  return (
    <>
      <section className="prompt-input" aria-label="Request" tabIndex={0}>
        {children}
        <div ref={end} className="end-mark" />
      </section>
      {!seen && (
        <p className="more-below" role="status">
          There is more below.{' '}
          <button
            type="button"
            className="quiet small"
            onClick={() => end.current?.scrollIntoView({ block: 'end' })}
          >
            Go to the end
          </button>{' '}
          It can be allowed once its end was in view.
        </p>
      )}
    </>
  );
}
