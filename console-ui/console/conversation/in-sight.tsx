import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** How far outside the visible area a piece is already rendered. */
const MARGIN = '600px';

/** A part of something long: an empty box of about its height until it comes near the visible area. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height matters only until the piece is rendered
  useLayoutEffect(() => {
    if (near && box.current !== null) keepPlace(box.current, height);
  }, [near]);
  return (
    <div ref={box} className="piece" data-near={near} style={near ? undefined : { height }}>
      {near && children}
    </div>
  );
}

/** Content that grows or shrinks above the reading position must not move it. */
function keepPlace(element: HTMLElement, before: number): void {
  const frame = scrolling(element);
  const { top, height } = element.getBoundingClientRect();
  if (frame === undefined || top >= frame.getBoundingClientRect().top) return;
  // At the end, the browser has already moved it up.
  const isAtEnd = frame.scrollHeight - frame.scrollTop - frame.clientHeight < 1;
  if (!isAtEnd) frame.scrollBy({ top: height - before, behavior: 'instant' });
}

function scrolling(element: HTMLElement): HTMLElement | undefined {
  for (let each = element.parentElement; each !== null; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && getComputedStyle(each).overflowY === 'auto') return each;
  return undefined;
}
