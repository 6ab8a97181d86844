import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { checkoutAround, type GitSettings, git, namesIn, runGit, workspaceFailed } from './git.js';

/** Settings with which no filters run: those of the user may run what a repository's settings name, as git-lfs does. */
export async function withoutFilters(folder: string): Promise<GitSettings> {
  return (await filtersOf(folder)).flatMap((filter) => [
    [`filter.${filter}.clean`, ''] as const,
    [`filter.${filter}.smudge`, ''] as const,
    [`filter.${filter}.process`, ''] as const,
    [`filter.${filter}.required`, 'false'] as const,
  ]);
}

/**
 * Why files of this repository cannot be committed or merged without running what its settings name; undefined if
 * they can.
 */
export async function programsNeeded(folder: string): Promise<string | undefined> {
  const reasons = {
    '^filter\\.': 'Its settings define filters.',
    '^merge\\.(.+\\.driver|default)$': 'Its settings define merge drivers.',
    // One of its own could drop one of the sides.
    '^pull\\.twohead$': 'Its settings choose a merge strategy.',
  };
  for (const [pattern, reason] of Object.entries(reasons))
    if ((await ownSettings(folder, pattern)).length > 0) return reason;
  if (await isSet(folder, 'merge.verifySignatures')) return 'Its settings ask for signed commits.';
  return filterNeeded(folder, folder);
}

/** Why files in one folder cannot be written in another without a filter that is set up there; undefined if they can. */
export async function filterNeeded(files: string, folder: string): Promise<string | undefined> {
  for (const filter of await filtersOf(folder)) {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const found = await runGit(files, [...args, '--', `:(top,attr:filter=${filter})`]);
    const [name] = namesIn(found.output);
    if (name !== undefined) return `Its file ${name} needs the filter "${filter}".`;
    if (!found.isOk) return `It may need the filter "${filter}".`;
  }
  return undefined;
}

/** The same for the files of a commit. */
export async function filterNeededBy(commit: string, folder: string): Promise<string | undefined> {
  const [filter] = await filtersOf(folder);
  if (filter === undefined) return undefined;
  const where = ['--', ':(top,glob)**/.gitattributes'];
  const { isOk, code, problem } = await runGit(folder, ['grep', '--quiet', '-e', 'filter', commit, ...where]);
  if (!isOk && code !== 1) throw workspaceFailed(problem);
  return isOk ? `It may need the filter "${filter}".` : undefined;
}

/** Whether the repository's settings change which remotes git reaches, or which programs it runs for that. */
export async function changesRemotes(folder: string): Promise<boolean> {
  const patterns = [
    '^url\\.',
    '^(http|credential|protocol|ssh|include|includeif)\\.',
    '^core\\.(sshcommand|gitproxy|askpass|alternaterefscommand)$',
    '^remote\\..*\\.(uploadpack|receivepack|proxy|vcs|promisor)$',
  ];
  return (await ownSettings(folder, patterns.join('|'))).length > 0;
}

/** Whether the repository's settings define hooks. From 2.54 on, git runs them with most commands that write. */
export async function definesHooks(folder: string): Promise<boolean> {
  return (await ownSettings(folder, '^hook\\.')).length > 0;
}

/** Whether its settings name another folder for its files than the one that it is in (core.worktree). */
export async function filesAreElsewhere(folder: string): Promise<boolean> {
  if ((await ownSettings(folder, '^core\\.worktree$')).length === 0) return false;
  const [named, place] = [
    await git(folder, ['config', '--get', 'core.worktree']),
    await git(folder, ['rev-parse', '--absolute-git-dir']),
  ];
  const real = await realpath(resolve(place, named)).catch(() => undefined);
  return real === undefined || real !== checkoutAround(folder);
}

/** Whether new commits have to be signed, which a server cannot do. */
export function needsSignature(folder: string): Promise<boolean> {
  return isSet(folder, 'commit.gpgSign');
}

/** The names of all filters that are set up, by the repository or by its user. */
async function filtersOf(folder: string): Promise<readonly string[]> {
  const found = await settingsIn(folder, '^filter\\..+\\.');
  const names = found.map(({ name }) => name.slice('filter.'.length, name.lastIndexOf('.')));
  return [...new Set(names)];
}

/** The names of settings that the repository itself defines. */
async function ownSettings(folder: string, pattern: string): Promise<readonly string[]> {
  const found = await settingsIn(folder, pattern);
  return found.filter(({ scope }) => scope === 'local' || scope === 'worktree').map(({ name }) => name);
}

/** Settings with these names, and where each is defined. */
async function settingsIn(
  folder: string,
  pattern: string,
): Promise<readonly { readonly scope: string; readonly name: string }[]> {
  const args = ['-z', '--show-scope', '--name-only', '--get-regexp', pattern];
  const found = namesIn(await readConfig(folder, args));
  return found.flatMap((scope, index) => {
    const name = found[index + 1];
    return index % 2 === 0 && name !== undefined ? [{ scope, name }] : [];
  });
}

/** Without our own settings, which come last. */
async function isSet(folder: string, name: string): Promise<boolean> {
  const found = await readConfig(folder, ['--type=bool', '--show-scope', '--get-all', name]);
  const lines = found.split('\n').filter((line) => line !== '' && !line.startsWith('command'));
  return lines.at(-1)?.endsWith('true') ?? false;
}

/** What `git config` prints; nothing if there is no such setting. @throws if the settings cannot be read. */
async function readConfig(folder: string, args: readonly string[]): Promise<string> {
  const { isOk, code, output, problem } = await runGit(folder, ['config', ...args]);
  if (!isOk && code !== 1) throw workspaceFailed(problem);
  return output;
}
