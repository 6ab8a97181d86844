import { Argument, Command } from 'commander';
import type { ListedCommand, MakeCommand } from '../command-list.js';
import { type CompletedCommand, completionScript, SHELLS, type Shell } from '../completion-script.js';

/** `coxswain completion`: a script that a shell loads once, when it starts. */
export function makeCompletion(commands: Readonly<Record<string, ListedCommand>>): MakeCommand {
  return (...parts) =>
    new Command('completion')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
      .addHelpText('after', HELP)
      .action(async (shell: Shell) => {
        const [{ writeOut }] = parts;
        const described = Object.entries(commands).map(async ([name, { about, load }]) =>
          completedCommand(name, about, (await load())(...parts)),
        );
        writeOut(completionScript(shell, await Promise.all(described)));
      });
}

const HELP = `
bash: eval "$(coxswain completion bash)"      in ~/.bashrc
zsh:  eval "$(coxswain completion zsh)"       in ~/.zshrc, after compinit
fish: coxswain completion fish > ~/.config/fish/completions/coxswain.fish`;

function completedCommand(name: string, about: string, command: Command): CompletedCommand {
  const help = [{ flag: '--help', about: 'print this help' }];
  const own = command.options.flatMap(({ long, description }) =>
    typeof long === 'string' ? [{ flag: long, about: description }] : [],
  );
  const inner = command.commands.map((each) => completedCommand(each.name(), each.description(), each));
  return { name, about, options: [...own, ...help], commands: inner };
}
