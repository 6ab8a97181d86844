import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { notOffered, offeredEntries } from '../../entry/compat/offered.js';
import { officialNames } from '../../entry/compat/official-names.js';
import { type ImportLine, readSource, type SdkUse } from './read-source.js';

/** How one use of the official SDK is covered. */
export interface Finding extends SdkUse {
  readonly file: string;
  readonly verdict: 'covered' | 'not covered' | 'unknown';
  readonly note?: string;
}

/** An import line before and after the change. */
export interface Change extends ImportLine {
  readonly file: string;
  readonly instead: string;
}

/** What a project uses from the official SDK, and what to change. */
export interface ProjectReport {
  readonly files: number;
  readonly imports: number;
  readonly findings: readonly Finding[];
  readonly changes: readonly Change[];
}

/** Reads a project's sources. Runs and writes nothing. */
export async function checkProject(folder: string): Promise<ProjectReport> {
  const findings: Finding[] = [];
  const changes: Change[] = [];
  let files = 0;
  let count = 0;
  for await (const path of sourcesIn(folder)) {
    files += 1;
    const file = relative(folder, path);
    const { uses, imports } = readSource(await readFile(path, 'utf8'));
    findings.push(...uses.map((use) => ({ ...use, file, ...judge(use) })));
    count += imports.length;
    // A line with several imports is one change.
    const lines = new Map(imports.map((each) => [each.line, each]));
    const changed = [...lines.values()].map((each) => ({ ...each, file, instead: rewritten(each.text) }));
    changes.push(...changed.filter(({ text, instead }) => text !== instead));
  }
  return { files, imports: count, findings, changes };
}

const SOURCE = /\.[mc]?[jt]sx?$/;
const PASSED_OVER = new Set(['node_modules', 'dist', 'build', 'out', 'coverage']);

async function* sourcesIn(folder: string): AsyncGenerator<string, void, undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || PASSED_OVER.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(path);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path;
  }
}

type Verdict = Pick<Finding, 'verdict' | 'note'>;

const reasons: Readonly<Record<string, string>> = { ...notOffered.exports, ...notOffered.preview };
const entryReasons: Readonly<Record<string, string>> = { ...notOffered.entries };
const ourEntries: Readonly<Record<string, string>> = offeredEntries;
const known = {
  import: new Set<string>([...officialNames.values, ...officialNames.types]),
  option: new Set<string>(officialNames.options),
};

function judge({ kind, name, entry }: SdkUse): Verdict {
  if (entry !== '' && ourEntries[entry] === undefined)
    return no(entryReasons[entry] ?? 'the official SDK has no such entry point.');
  // Its names are those of tools; every one is declared.
  if (ourEntries[entry] === '/sdk-tools') return { verdict: 'covered' };
  if (name === '*')
    return { verdict: 'covered', note: 'imports the whole module, so individual uses were not checked.' };
  const reason = kind === 'import' ? reasons[name] : undefined;
  if (reason !== undefined) return no(reason);
  if (known[kind].has(name)) return { verdict: 'covered' };
  return {
    verdict: 'unknown',
    note: `the official SDK ${officialNames.version} does not declare it either.`,
  };
}

function no(note: string): Verdict {
  return { verdict: 'not covered', note };
}

const SPECIFIER = /@anthropic-ai\/claude-(?:agent-sdk|code)([^'"]*)(?=['"])/g;

function rewritten(text: string): string {
  return text.replace(SPECIFIER, (before, entry: string) => {
    const ours = entry === '' ? '' : ourEntries[entry];
    return ours === undefined ? before : `coxswain/compat${ours}`;
  });
}
