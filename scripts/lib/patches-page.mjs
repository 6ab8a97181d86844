// The table of patches and versions on the page about patches, from results on the CLIs themselves.

/**
 * Versions on which the same patches fit make a row; its cells show the results of those that were run. A run of
 * other sources than these proves nothing about them, so it does not count.
 */
export function patchesTable(record, sources) {
  const ids = [...new Set(Object.values(record).flatMap(({ cells }) => Object.keys(cells)))].sort();
  const groups = [];
  for (const [version, row] of Object.entries(record)) {
    const places = ids.map((id) => placeOf(row.cells[id])).join();
    if (groups.at(-1)?.places !== places) groups.push({ places, rows: [] });
    groups.at(-1).rows.push({ version, cells: row.cells, isCurrent: row.sources === sources });
  }
  return [
    `| CLI | versions | run | ${ids.map((id) => id.slice(0, 3)).join(' | ')} |`,
    `|---|---|---|${'---|'.repeat(ids.length)}`,
    ...groups.map(({ rows }) => rowText(rows, ids)),
  ].join('\n');
}

function rowText(rows, ids) {
  const versions = rows.map(({ version }) => version);
  const span = versions.length === 1 ? versions[0] : `${versions[0]} to ${versions.at(-1)}`;
  const run = rows.filter((row) => ids.some((id) => isRun(row, id))).length;
  const cells = ids.map((id) => cellText(rows, id));
  return `| ${span} | ${rows.length} | ${run} | ${cells.join(' | ')} |`;
}

function cellText(rows, id) {
  const failed = rows.filter(({ cells }) => cells[id]?.startsWith('fails'));
  if (failed.length > 0) return `fails on ${failed.map(({ version }) => version).join(', ')}`;
  const place = placeOf(rows[0].cells[id]);
  if (place === 'none') return '–';
  return `${rows.some((row) => isRun(row, id)) ? 'works' : 'not run'}${place === 'part' ? ' in part' : ''}`;
}

/** How it fits: completely, in part, or not at all. A failure had a place. */
function placeOf(found) {
  if (/^(?:applied|works) in part/.test(found)) return 'part';
  return found === 'applied' || isTried(found) ? 'whole' : 'none';
}

function isRun({ cells, isCurrent }, id) {
  return isCurrent && isTried(cells[id]);
}

function isTried(found) {
  return /^(?:works|fails)/.test(found ?? '');
}
