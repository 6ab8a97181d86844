import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ranCox } from '../../support/cox.js';

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
  const { out: script } = await ranCox('completion', shell);
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
