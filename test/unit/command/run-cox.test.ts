import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCox } from '../../support/cox.js';

async function ran(...args: string[]) {
  const { output, exitCode } = startCox(args);
  return { exitCode: await exitCode, ...output };
}

test('--version prints the version of the package on stdout', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await ran('--version')).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
});

test('--help prints the commands on stdout', async () => {
  const { exitCode, out, err } = await ran('--help');
  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toMatch(/Usage: coxswain[\s\S]*model/);
});

test('no command prints the help on stderr and is a usage error', async () => {
  const { exitCode, out, err } = await ran();
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toContain('Usage: coxswain');
});

test.each([
  ['an unknown command', ['modl'], /unknown command 'modl'[\s\S]*Did you mean model/],
  ['an unknown option', ['model', '--prot', '1'], /unknown option '--prot'/],
  ['an invalid port', ['model', '--port', '70000'], /from 0 to 65535/],
  ['a port that is empty', ['model', '--port', ''], /from 0 to 65535/],
  ['too many arguments', ['model', 'a.json', 'b.json'], /too many arguments/],
])('%s is a usage error, reported on stderr', async (_, args, message) => {
  const { exitCode, out, err } = await ran(...args);
  expect([exitCode, out]).toEqual([2, '']);
  expect(err).toMatch(message);
});

test.each(['bash', 'zsh', 'fish'])('completion knows every command and its options in %s', async (shell) => {
  const { exitCode, out } = await ran('completion', shell);
  expect(exitCode).toBe(0);
  for (const word of ['run', 'doctor', 'sessions', 'max-turns', 'json-schema', 'check'])
    expect(out).toContain(word);
});

/** Completes words in the shell itself, with the printed script. */
const completers: Readonly<Record<string, (words: readonly string[]) => [string, string]>> = {
  bash: (words) => [
    '-c',
    `eval "$SCRIPT"; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _coxswain; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // In a terminal, with a key that completes and prints the line: bash completion has no other way there.
  zsh: (words) => [
    '-fc',
    `rm -f $HOME/shown; zmodload zsh/zpty; zpty shell zsh -f -i
    zpty -w shell 'eval "$SCRIPT"; show() { zle complete-word; print -r -- "$BUFFER" > $HOME/shown }; zle -N show; bindkey "^X" show'
    zpty -w -n shell $'${words.join(' ')}\x18'
    repeat 1200 { [[ -s $HOME/shown ]] && break; sleep 0.05 }
    cat $HOME/shown; zpty -d shell`,
  ],
  fish: (words) => ['-c', `echo "$SCRIPT" | source; complete -C '${words.join(' ')}' | string split -f1 \\t`],
};

test.for(Object.keys(completers))('%s completes with it', { timeout: 60_000 }, async (shell, { skip }) => {
  skip(spawnSync(shell, ['-c', 'true']).error !== undefined, `this machine has no ${shell}`);
  const { out: script } = await ran('completion', shell);
  const home = mkdtempSync(join(tmpdir(), 'coxswain-shell-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const complete = (...words: string[]) => {
    const { stdout } = spawnSync(shell, completers[shell]?.(words) ?? [], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home, SCRIPT: script },
    });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ').at(-1));
  };
  expect(complete('coxswain', 'ru')).toEqual(['run']);
  expect(complete('coxswain', 'run', '--json-')).toEqual(['--json-schema']);
  expect(complete('coxswain', 'sessions', 'che')).toEqual(['check']);
});

test('help for a command describes that command', async () => {
  const { out } = await ran('help', 'run');
  expect(out).toMatch(/Send one prompt[\s\S]*--deny[\s\S]*--json-schema[\s\S]*Exit codes/);
});

test('an error says what, why and what to do', async () => {
  const { exitCode, out, err } = await ran('model', 'no-such-script.json');
  expect([exitCode, out]).toEqual([2, '']);
  expect(err.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /^coxswain: The script .*no-such-script\.json cannot be read\. \[OPTION_INVALID\]$/,
    ),
    expect.stringMatching(/^why: ENOENT/),
    expect.stringMatching(/^what to do: correct that value/),
  ]);
});

test('--debug adds the stack of an error', async () => {
  const { err } = await ran('--debug', 'model', 'no-such-script.json');
  expect(err).toMatch(/\n {4}at /);
});
