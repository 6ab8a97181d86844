// The page of the benchmarks, from the figures stored by `npm run bench -- --write`.
import { table as compared, misses } from '../../bench/cases.mjs';
import { barChart, lineChart } from '../../bench/lib/chart.mjs';
import { goalText, missesOf, shown } from '../../bench/lib/stats.mjs';
import { NOTICE, page, table } from './markdown.mjs';

const FOLDER = 'docs/reference/benchmarks';
const HOSTS = ['raw', 'coxswain', 'compat', 'official'];

/** The files of the page: text and charts. */
export function benchmarkFiles(baseline, profile) {
  const growth = Object.entries(baseline.cases).filter(([, each]) => each.points !== undefined);
  return [
    ['docs/reference/benchmarks.md', benchmarksPage(baseline, profile, growth)],
    [`${FOLDER}/throughput.svg`, barChart(throughputRows(baseline.cases))],
    ...growth.map(([name, each]) => [`${FOLDER}/${name}.svg`, lineChart(each)]),
  ];
}

/** The rows that compare two implementations, for pages that need only those. */
export function comparison({ cases }, [ours, theirs]) {
  const rows = compared.flatMap(([name, figure]) => {
    const values = cases[name]?.figures?.find((each) => each.name === figure)?.values ?? {};
    if (values[ours] === undefined || values[theirs] === undefined) return [];
    return [
      [`${cases[name].title}: ${figure.replace('burst: ', '')}`, shown(values[ours]), shown(values[theirs])],
    ];
  });
  return table(['', ours === 'compat' ? '`coxswain/compat`' : 'Coxswain', 'official SDK'], rows);
}

function benchmarksPage({ machine, cases }, profile, growth) {
  const { cpu, cores, node } = machine;
  return page(
    NOTICE,
    '# Benchmarks',
    `Figures of \`npm run bench\` from \`bench/baseline.json\`, measured on ${cores} cores (${cpu}) with Node ${node}. **raw** is the limit of Node: spawn, chunks decoded once and sliced into lines, \`JSON.parse\`, minimal dispatch, an awaited callback, answers written together, the same \`for await\` loop. **coxswain** is \`openSession\`, **compat** is \`coxswain/compat\`, **official** is \`@anthropic-ai/claude-agent-sdk\`. All talk to the same native CLI (\`bench/cli/fast-cli.c\`). Each measurement runs in its own process, round after round; a figure is the median over the rounds, and a ratio is the median of the ratios within each round. Goals apply to both entry points. Calls run as a burst (5,000 after 1,000, like most programs) and as a long run.`,
    'Figures of a fleet are on [its own page](../how-to/operate-a-fleet.md#sizing).',
    '![Throughput of a raw loop](benchmarks/throughput.svg)',
    ...Object.entries(cases)
      .filter(([, each]) => each.figures !== undefined)
      .map(([name, each]) => caseSection(name, each)),
    '## How cost grows',
    ...growth.map(([name, { title }]) => `![${title}](benchmarks/${name}.svg)`),
    '## Where the time goes',
    'Samples from the CPU profiler (`node bench/profile.mjs`), without the time before the first and after the last message.',
    ...Object.entries(profile).map(([name, each]) => profileSection(name, each)),
  );
}

function caseSection(name, { title, subjects, figures }) {
  const hosts = Object.keys(figures[0].values).sort((a, b) => HOSTS.indexOf(a) - HOSTS.indexOf(b));
  const rows = figures.map(({ name: figure, goal, values }) => [
    figure,
    ...hosts.map((host) => shown(values[host])),
    goal === undefined ? '' : goalText(goal),
    goal === undefined ? '' : verdict(missesOf(values, goal, subjects)),
  ]);
  const missed = figures.some(({ goal, values }) => goal && missesOf(values, goal, subjects).length > 0);
  const why = missed ? `\n\n${misses[name] ?? 'Not explained yet.'}` : '';
  return `## ${title[0].toUpperCase()}${title.slice(1)}\n\n${table(['figure', ...hosts, 'goal', ''], rows)}${why}`;
}

function verdict(missed) {
  if (missed.length === 0) return 'met';
  return missed.map(({ subject, by }) => `${subject} misses by ${shown(by)}`).join(', ');
}

function profileSection(name, { microseconds, parts }) {
  const rows = parts
    .filter(({ share }) => share >= 0.01)
    .map(({ part, share }) => [part, `${(share * 100).toFixed(0)} %`]);
  return `### For ${name}: ${shown(microseconds)} µs\n\n${table(['what', 'share'], rows)}`;
}

/** For calls, the chart shows the burst. */
function throughputRows(cases) {
  return Object.values(cases).flatMap(({ title, figures = [] }) =>
    figures
      .filter(({ name }) => /^(burst: )?throughput, of raw$/.test(name))
      .map(({ values: { raw: _raw, ...values } }) => ({ title, values })),
  );
}
