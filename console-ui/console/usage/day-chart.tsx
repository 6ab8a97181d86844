import { count } from '../../../src/wire/util/numbers.js';
import { folderName } from '../ui/names.js';
import { allTokens, type DayUse } from './usage-days.js';

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 220, 56, 24, 10];

/** A bar for each day, with a segment per folder; unlisted folders share one segment. */
export function DayChart({ days, named }: { days: readonly DayUse[]; named: readonly string[] }) {
  const most = Math.max(1, ...days.map(({ tokens }) => allTokens(tokens)));
  const inner = HEIGHT - TOP - BOTTOM;
  const slot = (WIDTH - LEFT) / days.length;
  const y = (share: number) => TOP + inner * (1 - share);
  const everyNth = Math.ceil(days.length / 10);
  return (
    <svg
      className="day-chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Tokens per day, up to ${count(most)}, by folder. The table below has the numbers.`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={WIDTH} y1={y(share)} y2={y(share)} />
          <text x={LEFT - 6} y={y(share) + 4} textAnchor="end">
            {count(Math.round(most * share))}
          </text>
        </g>
      ))}
      {days.map((day, index) => (
        <g key={day.day}>
          <Bar day={day} named={named} x={LEFT + slot * index} width={slot} unit={inner / most} />
          {index % everyNth === 0 && (
            <text x={LEFT + slot * (index + 0.5)} y={HEIGHT - 6} textAnchor="middle">
              {day.day.slice(5)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
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
