import { Argument, Command } from 'commander';
import type { ListedCommand, MakeCommand } from './command-list.js';

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

/** The supported shells. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One of those shells. */
type Shell = (typeof SHELLS)[number];

/** What a shell needs to know about a command. */
interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly options: readonly { readonly flag: string; readonly about: string }[];
  readonly commands: readonly CompletedCommand[];
}

/** The completion script for a shell; everywhere else, file names are completed. */
function completionScript(shell: Shell, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(commands);
  const bash = bashScript(commands);
  return shell === 'bash' ? bash : `${ZSH_HEAD}\n${bash}`;
}

/**
 * bash has this built in. In a zsh that has not initialized its completion system, there is nowhere to
 * register.
 */
const ZSH_HEAD = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i; }
autoload -U +X bashcompinit && bashcompinit`;

function bashScript(commands: readonly CompletedCommand[]): string {
  const cases = commands.flatMap((command) => [
    `    ${command.name}) words="${wordsOf(command)}" ;;`,
    ...command.commands.map((inner) => `    "${command.name} ${inner.name}") words="${wordsOf(inner)}" ;;`),
  ]);
  const groups = commands.filter((each) => each.commands.length > 0).map(({ name }) => name);
  return `_coxswain() {
  local word="\${COMP_WORDS[COMP_CWORD]}" asked="\${COMP_WORDS[1]}" words=""
  case "$asked" in
    ${groups.join('|')}) [ "$COMP_CWORD" -gt 2 ] && asked="$asked \${COMP_WORDS[2]}" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && asked=""
  case "$asked" in
    "") words="${commands.map(({ name }) => name).join(' ')} --help --version" ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _coxswain coxswain cox
`;
}

function wordsOf({ commands, options }: CompletedCommand): string {
  return [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ');
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c coxswain -n __fish_use_subcommand -a ${command.name} -d ${quoted(command.about)}`,
    ...command.commands.map(
      ({ name, about }) =>
        `complete -c coxswain -n '__fish_seen_subcommand_from ${command.name}' -a ${name} -d ${quoted(about)}`,
    ),
    ...optionsOf(command).map(
      ({ flag, about }) =>
        `complete -c coxswain -n '__fish_seen_subcommand_from ${command.name}' -l ${flag.slice(2)} -d ${quoted(about)}`,
    ),
  ]);
  return `${[...lines, 'complete -c cox -w coxswain'].join('\n')}\n`;
}

/** The options of a command and its subcommands, without duplicates. */
function optionsOf({ options, commands }: CompletedCommand): CompletedCommand['options'] {
  const all = [...options, ...commands.flatMap((each) => each.options)];
  return all.filter(({ flag }, index) => all.findIndex((other) => other.flag === flag) === index);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
