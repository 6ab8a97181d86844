import { count, counted, dollars, duration, estimatedDollars } from '../../src/wire/util/numbers.js';
import { allTokens, sumTokens, type Tokens, type TurnCost } from './model/totals.js';
import type { WireRow } from './model/wire-row.js';
import './cost-chart.css';

/** The props of a {@link CostChart}. */
export interface CostChartProps {
  readonly turns: readonly TurnCost[];
  readonly onSelect?: ((row: WireRow) => void) | undefined;
}

/** The cost of turns: a bar of tokens for each, the money spent so far as a line, and both as a table. */
export function CostChart({ turns, onSelect }: CostChartProps) {
  if (turns.length === 0) return <p className="wire-empty">No turn has ended yet, so there is no cost.</p>;
  const total = turns.at(-1)?.totalUsd ?? 0;
  const tokens = sumTokens(turns);
  return (
    <div className="wire-cost">
      <h2>
        {estimatedDollars(total)} <small>in {counted(turns.length, 'turn')}</small>
      </h2>
      <Legend tokens={tokens} />
      <Bars turns={turns} />
      <CostTable turns={turns} onSelect={onSelect} />
    </div>
  );
}

const PARTS: readonly (readonly [keyof Tokens, string])[] = [
  ['output', 'output'],
  ['input', 'input'],
  ['cacheWrite', 'cache write'],
  ['cacheRead', 'cache read'],
];

function Legend({ tokens }: { readonly tokens: Tokens }) {
  return (
    <ul className="wire-legend">
      {PARTS.map(([part, name]) => (
        <li key={part} data-part={part}>
          {name} <strong>{count(tokens[part])}</strong>
        </li>
      ))}
      <li data-part="cost">cost so far</li>
    </ul>
  );
}

const [WIDTH, HEIGHT, LEFT, RIGHT, BOTTOM, TOP] = [560, 190, 50, 76, 22, 10];

function Bars({ turns }: { readonly turns: readonly TurnCost[] }) {
  const mostTokens = Math.max(1, ...turns.map(({ tokens }) => allTokens(tokens)));
  const mostMoney = Math.max(...turns.map(({ totalUsd }) => totalUsd), 0);
  const [innerWidth, innerHeight] = [WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM];
  const slot = innerWidth / turns.length;
  const y = (share: number) => TOP + innerHeight * (1 - share);
  const line = turns.map(
    ({ totalUsd }, index) =>
      `${LEFT + slot * (index + 0.5)},${y(mostMoney === 0 ? 0 : totalUsd / mostMoney)}`,
  );
  return (
    <svg
      className="wire-bars"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Tokens per turn, up to ${count(mostTokens)}, and estimated cost so far, up to ${dollars(mostMoney)}. The table below has the numbers.`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line className="wire-grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(share)} y2={y(share)} />
          <text className="wire-tick" x={LEFT - 6} y={y(share) + 4} textAnchor="end">
            {count(Math.round(mostTokens * share))}
          </text>
          {mostMoney > 0 && (
            <text className="wire-tick" x={WIDTH - RIGHT + 6} y={y(share) + 4}>
              {dollars(mostMoney * share)}
            </text>
          )}
        </g>
      ))}
      {turns.map(({ turn, tokens }, index) => (
        <Bar key={turn} tokens={tokens} x={LEFT + slot * index} slot={slot} unit={innerHeight / mostTokens} />
      ))}
      {mostMoney > 0 && <polyline className="wire-money" points={line.join(' ')} />}
      {mostMoney > 0 &&
        turns.length <= 40 &&
        line.map((point) => (
          <circle
            key={point}
            className="wire-money-dot"
            cx={point.split(',')[0]}
            cy={point.split(',')[1]}
            r={3}
          />
        ))}
      {turns
        .filter((_, index) => index % Math.ceil(turns.length / 12) === 0)
        .map(({ turn }) => (
          <text
            key={turn}
            className="wire-tick"
            x={LEFT + slot * (turn - 0.5)}
            y={HEIGHT - 6}
            textAnchor="middle"
          >
            {turn}
          </text>
        ))}
    </svg>
  );
}

interface BarProps {
  readonly tokens: Tokens;
  readonly x: number;
  readonly slot: number;
  readonly unit: number;
}

function Bar({ tokens, x, slot, unit }: BarProps) {
  const width = Math.max(1, Math.min(46, slot * 0.7));
  let top = HEIGHT - BOTTOM;
  return PARTS.map(([part]) => {
    const height = tokens[part] * unit;
    top -= height;
    return (
      <rect key={part} data-part={part} x={x + (slot - width) / 2} y={top} width={width} height={height} />
    );
  });
}

function CostTable({ turns, onSelect }: CostChartProps) {
  return (
    <section className="wire-scroll" aria-label="Cost by turn">
      <table className="wire-table">
        <thead>
          <tr>
            <th scope="col">Turn</th>
            <th scope="col">Took</th>
            <th scope="col">Input</th>
            <th scope="col">Cache</th>
            <th scope="col">Output</th>
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {turns.map(({ turn, row, ms, tokens, costUsd }) => (
            <tr key={turn}>
              <th scope="row">
                {onSelect === undefined ? (
                  turn
                ) : (
                  <button type="button" className="wire-link" onClick={() => onSelect(row)}>
                    {turn}
                  </button>
                )}
              </th>
              <td>{duration(ms)}</td>
              <td>{count(tokens.input)}</td>
              <td>{count(tokens.cacheRead + tokens.cacheWrite)}</td>
              <td>{count(tokens.output)}</td>
              <td>{estimatedDollars(costUsd)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
