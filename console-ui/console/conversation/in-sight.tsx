import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How far out of sight a piece is shown already. */
const MARGIN = '600px';

/** A part of something long: an empty box of about its height until it comes near to where somebody looks. */
export function InSight({ height, children }: { height: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null || near) return;
    const views = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: MARGIN },
    );
    views.observe(element);
    return () => views.disconnect();
  }, [near]);
  useLayoutEffect(() => {
    if (near && box.current !== null) keepPlace(box.current, height);
  }, [near, height]);
  return (
    <div ref={box} className="piece" data-near={near} style={near ? undefined : { height }}>
      {near && children}
    </div>
  );
}

/** What grows above the place where somebody reads must not move it. */
function keepPlace(element: HTMLElement, before: number): void {
  const frame = scrolling(element);
  const { top, height } = element.getBoundingClientRect();
  if (frame !== undefined && top < frame.getBoundingClientRect().top)
    frame.scrollBy({ top: height - before, behavior: 'instant' });
}

function scrolling(element: HTMLElement): HTMLElement | undefined {
  for (let each = element.parentElement; each !== null; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto') return each;
  return undefined;
}
