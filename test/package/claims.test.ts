import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spanOf } from '../../src/host/cli/known-facts.js';
import type { TurnOutcome } from '../../src/host/session/turns/outcome.js';

// Figures and versions that pages name in their own words, against where they come from.
const read = (path: string) => readFileSync(path, 'utf8');

interface Case {
  readonly figures?: readonly { readonly name: string; readonly values: Readonly<Record<string, number>> }[];
}
const { cases }: { readonly cases: Readonly<Record<string, Case>> } = JSON.parse(read('bench/baseline.json'));
function figure(name: string, figureName: string, host: 'coxswain' | 'official'): number {
  return cases[name]?.figures?.find((each) => each.name === figureName)?.values[host] ?? Number.NaN;
}

test('the README names the memory that the benchmark measured', () => {
  const [, ours, theirs] = /400 MB of messages\D+(\d+) MB\D+(\d+) MB/.exec(read('README.md')) ?? [];
  expect(Number(ours)).toBe(Math.round(figure('slow-reader', 'memory added, MB', 'coxswain')));
  expect(Number(theirs)).toBe(Math.round(figure('slow-reader', 'memory added, MB', 'official')));
});

test('the README names the times that the benchmark measured', () => {
  const readme = read('README.md').replaceAll(/\s+/g, ' ');
  expect(readme).toMatch(/`break`[^.]* a millisecond[^.]* two seconds/);
  const milliseconds = 'milliseconds until control is back';
  expect(figure('leave-break', milliseconds, 'coxswain')).toBeLessThanOrEqual(1);
  expect(figure('leave-break', milliseconds, 'official')).toBeGreaterThanOrEqual(2000);
});

test('the guide lists every outcome of a turn', () => {
  const kinds = {
    success: true,
    error: true,
    'output-invalid': true,
    'max-turns': true,
    budget: true,
    'rate-limited': true,
    auth: true,
    interrupted: true,
    cancelled: true,
    aborted: true,
    stalled: true,
    'cli-ended': true,
    unknown: true,
    closed: true,
  } satisfies Record<TurnOutcome['kind'], true>;
  const rows = [...read('docs/how-to/sessions.md').matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell);
  const listed = rows.flatMap((cell = '') => cell.split(', ')).map((name) => name.replaceAll('`', ''));
  expect(listed).toEqual(expect.arrayContaining(Object.keys(kinds)));
});

test.each([
  ['docs/how-to/answer-prompts.md', 'passesOnElicitation'],
  ['docs/how-to/tools-in-your-process.md', 'switchesServers'],
  ['docs/how-to/tools-in-your-process.md', 'reconnectsCommandLineServers'],
  ['docs/how-to/tools-in-your-process.md', 'setsServersWithResources'],
  ['ARCHITECTURE.md', 'switchesServers'],
] as const)('%s names the first CLI that %s', (page, fact) => {
  const [since = ''] = /\d[\d.]+/.exec(spanOf(fact).inWords ?? '') ?? [];
  expect(since).not.toBe('');
  expect(read(page)).toContain(since);
});

test('the counts on the first page are true', () => {
  const rows = (page: string) => read(page).match(/^\| (?!---)/gm)?.length ?? 0;
  const { published } = JSON.parse(read('src/host/cli/ledger/ledger.json')) as { published: string[] };
  const readme = read('README.md').replaceAll(/\s+/g, ' ');
  expect(readme).toMatch(/from 2\.0\.0 on: over 300\./);
  expect(published.length).toBeGreaterThan(300);
  expect(readme).toContain('[more than 100 faults]');
  expect(rows('docs/reference/faults.md')).toBeGreaterThan(120);
  expect(readme).toContain('[60 control methods]');
  expect(read('docs/reference/controls.md').match(/^\| `/gm)).toHaveLength(60);
});

test('the page of platforms names the versions that the tests install', () => {
  const page = read('docs/help/platforms.md');
  const installed = ['nodes', 'runtimes', 'real-clis'].flatMap((name) => {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      read(`test/${name}/package.json`),
    ) as {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    };
    return Object.values({ ...dependencies, ...optionalDependencies });
  });
  for (const version of new Set(installed.map((spec) => spec.replace(/^.*@/, ''))))
    expect(page).toContain(version);
});
