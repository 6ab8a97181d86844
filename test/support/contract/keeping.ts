import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { echo } from '../manager.js';
import { asked } from './prompts.js';
import { asks, gated, limitedUntil, listening } from './scripts.js';
import { type Promised, shows, type TestedConversations } from './way-in.js';

/** Settings, for the running CLI and later ones. */
export function settings(promised: Promised): void {
  promised(
    'the model and the mode that were set are those of the next CLI, across a restart',
    async ({ start }) => {
      const before = await start([echo]);
      const earlier = await before.open('one', { model: 'first' });
      await earlier.fate(await earlier.send('a'));
      await earlier.setModel('second');
      await earlier.setPermissionMode('plan');
      await earlier.park();
      await shows(earlier, { state: 'parked' });
      await earlier.fate(await earlier.send('b'));
      const { open, launches } = await before.restart('closed');
      const talk = await open('one');
      await talk.retry();
      await talk.fate(await talk.send('c'));
      expect(launches.map(settingsOf)).toEqual([
        { model: 'first', mode: expect.not.stringContaining('plan') },
        { model: 'second', mode: 'plan' },
        { model: 'second', mode: 'plan' },
      ]);
    },
  );

  promised('settings of a conversation without a CLI are those of the next one', async ({ start }) => {
    const { open, launches } = await start([echo]);
    const talk = await open('one', { model: 'first' });
    await talk.fate(await talk.send('a'));
    await talk.park();
    await shows(talk, { state: 'parked' });
    await talk.setModel('second');
    await talk.setPermissionMode('plan');
    await talk.fate(await talk.send('b'));
    // A way in may start a CLI for the change.
    await talk.park();
    await shows(talk, { state: 'parked' });
    await talk.fate(await talk.send('c'));
    expect(settingsOf(launches.at(-1))).toEqual({ model: 'second', mode: 'plan' });
  });
}

function settingsOf(launch: TestedConversations['launches'][number] | undefined) {
  const value = (flag: string) =>
    launch?.arguments.find((each) => each.startsWith(`${flag}=`))?.slice(flag.length + 1);
  return { model: value('--model'), mode: value('--permission-mode') ?? 'none' };
}

/** Messages at certain times. */
export function schedules(promised: Promised): void {
  const everySecond = { cron: '* * * * * *', timezone: 'Europe/Rome', text: 'what is new?' };

  promised('a schedule sends its message, until it is ended', async ({ start }) => {
    const cli = listening();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    await talk.schedule(everySecond);
    await expect.poll(() => cli.heard, { interval: 10 }).toContain('what is new?');
    await talk.unschedule();
    await shows(talk, { unsettled: 0 });
  });

  promised('a schedule continues after a restart', async ({ start }) => {
    const cli = listening();
    const before = await start([cli.scenario]);
    await (await before.open('one')).schedule(everySecond);
    const { open } = await before.restart('closed');
    const heard = cli.heard.length;
    await expect.poll(() => cli.heard.length, { interval: 10 }).toBeGreaterThan(heard);
    await (await open('one')).unschedule();
  });

  promised('a schedule that names no time is refused', async ({ start }) => {
    const { open } = await start([echo]);
    const talk = await open('one');
    await expect(talk.schedule({ ...everySecond, cron: 'soon' })).rejects.toMatchObject({
      code: 'OPTION_INVALID',
    });
  });
}

/** Git worktrees. */
export function worktrees(promised: Promised): void {
  async function inWorktree({ open, launches }: TestedConversations, folder: string) {
    const cwd = repository(folder);
    const talk = await open('one', { cwd, workspace: 'worktree' });
    await talk.fate(await talk.send('a'));
    const worktree = launches.at(-1)?.cwd ?? cwd;
    expect(worktree).not.toBe(cwd);
    writeFileSync(join(worktree, 'file.txt'), 'second\n');
    git(worktree, 'commit', '--quiet', '-am', 'second');
    return { talk, cwd, worktree };
  }

  promised('a conversation works in its own worktree, which is merged', async ({ start }) => {
    const started = await start([echo]);
    const { talk, cwd, worktree } = await inWorktree(started, started.folder);
    expect(readFileSync(join(cwd, 'file.txt'), 'utf8')).toBe('first\n');
    await talk.endWorkspace('merge');
    expect(readFileSync(join(cwd, 'file.txt'), 'utf8')).toBe('second\n');
    expect(existsSync(worktree)).toBe(false);
  });

  promised(
    'a worktree that is removed leaves the repository as it was, and its work under a ref',
    async ({ start }) => {
      const started = await start([echo]);
      const { talk, cwd, worktree } = await inWorktree(started, started.folder);
      await talk.endWorkspace('remove');
      expect(readFileSync(join(cwd, 'file.txt'), 'utf8')).toBe('first\n');
      expect(existsSync(worktree)).toBe(false);
      expect(git(cwd, 'for-each-ref', 'refs/coxswain/kept')).not.toBe('');
    },
  );

  promised('a conversation continues in its worktree after a restart', async ({ start }) => {
    const before = await start([echo]);
    const { worktree } = await inWorktree(before, before.folder);
    const { open, launches } = await before.restart('closed');
    const talk = await open('one');
    await talk.retry();
    await talk.fate(await talk.send('b'));
    expect(launches.map(({ cwd }) => cwd)).toEqual([worktree, worktree]);
  });
}

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8' });
}

/** A repository with one commit, below a folder. */
function repository(folder: string): string {
  const path = join(folder, 'repository');
  mkdirSync(path);
  git(path, 'init', '--quiet', '--initial-branch=main');
  // Merge commits need a name too.
  git(path, 'config', 'user.name', 'Ada');
  git(path, 'config', 'user.email', 'ada@example.org');
  writeFileSync(join(path, 'file.txt'), 'first\n');
  git(path, 'add', '.');
  git(path, 'commit', '--quiet', '-m', 'first');
  return path;
}

/** How conversations leave. */
export function deletion(promised: Promised): void {
  promised('a deleted conversation is gone, and stays so; its name can be used again', async ({ start }) => {
    const before = await start([echo]);
    const [one, two] = [await before.open('one'), await before.open('two')];
    await one.fate(await one.send('a'));
    await two.fate(await two.send('a'));
    expect(await before.list()).toEqual(expect.arrayContaining(['one', 'two']));
    await one.delete();
    await expect.poll(before.list, { interval: 10 }).toEqual(['two']);
    await expect(one.send('b')).rejects.toHaveProperty('code');
    const { list, open, launches } = await before.restart('closed');
    expect(await list()).toEqual(['two']);
    const again = await open('one');
    expect(await again.fate(await again.send('c'))).toEqual({ kind: 'success', text: 'echo: c' });
    expect(launches.at(-1)?.resume).toBeUndefined();
  });

  promised('deleting a conversation ends its turn and cancels what waits', async ({ start }) => {
    const cli = gated();
    const { open } = await start([cli.scenario]);
    const talk = await open('one');
    const ids = [await talk.send('a'), await talk.send('b')];
    await expect.poll(() => cli.heard, { interval: 10 }).toEqual(['a']);
    await talk.delete();
    const fates = await Promise.all(ids.map(talk.fate));
    expect(fates.map(({ kind }) => kind)).toEqual(['closed', 'cancelled']);
    expect(cli.heard).toEqual(['a']);
  });
}

/** Everything that is known about a conversation. */
export function exporting(promised: Promised): void {
  promised('an export has the facts, the settings and the waiting messages', async ({ start }) => {
    const { open } = await start([limitedUntil(Date.now() + 3_600_000)]);
    const talk = await open('one', { model: 'm' });
    const id = await talk.send('x');
    await shows(talk, { state: 'limited' });
    expect(await talk.export()).toMatchObject({
      facts: { name: 'one', state: 'limited', messages: 1 },
      options: { model: 'm' },
      waiting: [{ id, input: 'x' }],
      prompts: [],
    });
  });

  promised('an export has the prompts whose CLI has ended', async ({ start }) => {
    const before = await start([asks]);
    const earlier = await before.open('one');
    await earlier.send('x');
    await asked(earlier);
    const { open } = await before.restart('closed');
    const talk = await open('one');
    await shows(talk, { state: 'parked' });
    const prompt = await asked(talk);
    expect(await talk.export()).toMatchObject({
      prompts: [{ id: prompt, tool: 'Bash', input: { command: 'ls' } }],
    });
  });
}
