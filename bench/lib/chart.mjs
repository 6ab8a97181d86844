// Charts as SVG text: bars for ratios, lines for growth. Plain shapes and text that work on light and dark pages.
const COLOURS = { raw: '#8a8f98', coxswain: '#1f7a8c', compat: '#6aa84f', official: '#c8553d' };
const FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const INK = '#6b7280';

/** Grouped bars: `rows` are `{ title, values: { name: ratio } }`; the line at 1 is the raw loop. */
export function barChart(rows, { width = 720, rowHeight = 22 } = {}) {
  const [left, right, top] = [240, 60, 30];
  const most = Math.max(1, ...rows.flatMap(({ values }) => Object.values(values)));
  const scale = (width - left - right) / most;
  let y = top;
  const parts = [];
  for (const { title, values } of rows) {
    const names = Object.keys(values);
    parts.push(text(left - 10, y + (names.length * rowHeight) / 2 + 2, title, 'end'));
    for (const name of names) {
      const length = Math.max(1, values[name] * scale);
      parts.push(
        `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${rowHeight - 6}" rx="2" fill="${colour(name)}"/>`,
        text(left + length + 6, y + rowHeight - 10, values[name].toFixed(2)),
      );
      y += rowHeight;
    }
    y += 12;
  }
  const one = left + scale;
  parts.push(
    `<line x1="${one}" y1="${top - 6}" x2="${one}" y2="${y - 8}" stroke="${INK}" stroke-dasharray="3 3"/>`,
    text(one, top - 12, 'raw loop', 'middle'),
  );
  return svg(width, y + 24, [...parts, legend(rows, y + 12, left)]);
}

/** Lines over sizes on a logarithmic axis. */
export function lineChart({ title, unit, points }, { width = 720, height = 260 } = {}) {
  const [left, right, top, bottom] = [60, 110, 36, 36];
  const names = Object.keys(points[0].values);
  const most = Math.max(...points.flatMap(({ values }) => Object.values(values)));
  const x = (index) => left + (index * (width - left - right)) / (points.length - 1);
  const y = (value) => height - bottom - (value / most) * (height - top - bottom);
  const lines = names.map((name) => {
    const path = points
      .map(({ values }, index) => `${x(index).toFixed(1)},${y(values[name]).toFixed(1)}`)
      .join(' ');
    const last = points.at(-1).values[name];
    return [
      `<polyline points="${path}" fill="none" stroke="${colour(name)}" stroke-width="2"/>`,
      text(width - right + 8, y(last) + 4, `${name} ${last.toFixed(1)}`),
    ].join('\n');
  });
  const axis = points.map(({ size }, index) =>
    text(x(index), height - 12, size.toLocaleString('en'), 'middle'),
  );
  const ground = `<line x1="${left}" y1="${height - bottom}" x2="${width - right}" y2="${height - bottom}" stroke="${INK}"/>`;
  return svg(width, height, [text(left, 18, `${title} (${unit})`), ground, ...lines, ...axis]);
}

const colour = (name) => COLOURS[name] ?? COLOURS.coxswain;

function legend(rows, y, left) {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  return names
    .map((name, index) => {
      const x = left + index * 100;
      return `<rect x="${x}" y="${y - 9}" width="10" height="10" rx="2" fill="${colour(name)}"/>${text(x + 15, y, name)}`;
    })
    .join('\n');
}

const text = (x, y, content, anchor = 'start') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${INK}" ${FONT}>${content}</text>`;

const svg = (width, height, parts) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">\n${parts.join('\n')}\n</svg>\n`;
