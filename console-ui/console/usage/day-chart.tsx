import { useLayoutEffect, useRef, useState } from 'react';
import { count } from '../../../src/wire/util/numbers.js';
import { folderName } from '../ui/names.js';
import { allTokens, type DayUse } from './usage-days.js';

const [HEIGHT, LEFT, RIGHT, BOTTOM, TOP] = [220, 56, 18, 24, 10];
/** The width of a label of a day, with the space to the next. */
const LABEL = 48;

/** A bar for each day, with a segment per folder; unlisted folders share one segment. */
export function DayChart({ days, named }: { days: readonly DayUse[]; named: readonly string[] }) {
  const most = Math.max(1, ...days.map(({ tokens }) => allTokens(tokens)));
  const inner = HEIGHT - TOP - BOTTOM;
  const [chart, width] = useWidth();
  const slot = (width - LEFT - RIGHT) / days.length;
  const y = (share: number) => TOP + inner * (1 - share);
  const everyNth = Math.max(1, Math.ceil(LABEL / slot));
  return (
    <svg
      ref={chart}
      className="day-chart"
      height={HEIGHT}
      role="img"
      aria-label={`Tokens per day, up to ${count(most)}, by folder. The table below has the numbers.`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={width} y1={y(share)} y2={y(share)} />
          <text x={LEFT - 6} y={y(share) + 4} textAnchor="end">
            {count(Math.round(most * share))}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <g key={day.day}>
          <Bar day={day} named={named} x={LEFT + slot * index} width={slot} unit={inner / most} />
          {/* The newest day always has its label. */}
          {(days.length - 1 - index) % everyNth === 0 && (
            <text x={LEFT + slot * (index + 0.5)} y={HEIGHT - 6} textAnchor="middle">
              {day.day.slice(5)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** The chart's own width: a scaled one would scale its text too. */
function useWidth() {
  const chart = useRef<SVGSVGElement>(null);
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const element = chart.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(LEFT + 60, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [chart, width] as const;
}

function Bar({
  day,
  named,
  x,
  width,
  unit,
}: {
  day: DayUse;
  named: readonly string[];
  x: number;
  width: number;
  unit: number;
}) {
  const rest = day.folders.filter(({ cwd }) => !named.includes(cwd));
  const parts = [
    ...named.map((cwd) => ({ cwd, tokens: day.folders.find((each) => each.cwd === cwd)?.tokens ?? 0 })),
    { cwd: 'others', tokens: rest.reduce((sum, { tokens }) => sum + tokens, 0) },
  ];
  let top = HEIGHT - BOTTOM;
  return parts.map(({ cwd, tokens }, index) => {
    const height = tokens * unit;
    top -= height;
    return tokens === 0 ? null : (
      <rect
        key={cwd}
        data-part={Math.min(index, named.length)}
        data-others={cwd === 'others'}
        x={x + width * 0.12}
        y={top}
        width={width * 0.76}
        height={height}
      >
        <title>{`${day.day}, ${folderName(cwd)}: ${count(tokens)} tokens`}</title>
      </rect>
    );
  });
}
