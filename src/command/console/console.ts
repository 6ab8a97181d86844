import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.js';
import { withEngineOptions } from '../fleet/engine-flags.js';
import { HOLD_OPTION } from '../fleet/hold-option.js';
import { collect, parseCount, parseDuration, parseMoney, parseNumber, parsePort } from '../parse.js';
import type { KeyFlags, NewKeyFlags } from './console-keys.js';
import type { ConsoleFlags } from './run-console.js';
import { SANDBOX_OPTION } from './sandbox-option.js';

/** `coxswain console`: sessions in the browser, and for programs. */
export function consoleCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const command = new Command('console')
    .option('-p, --port <number>', 'the port to listen on (default: 7420, or a free one)', parsePort)
    .option('--host <address>', 'an address other than 127.0.0.1; needs your own token in COXSWAIN_TOKEN')
    .option('--allow-host <name>', 'another host name for the console; repeatable', collect)
    .option('--api-origin <origin>', 'let pages of this origin use the HTTP API; repeatable', collect)
    .option('--webhook-host <host>', 'allow webhooks to this host in your network; repeatable', collect)
    .option('--public-url <address>', "the console's public address, for answer URLs in webhooks")
    .option('--tls-cert <file>', 'serve HTTPS with this certificate (PEM); needs --tls-key')
    .option('--tls-key <file>', "the certificate's key (PEM)")
    .option(
      '--root <folder>',
      'a root folder: sessions may only work inside it (default: the current folder); repeatable',
      collect,
    )
    .option('--allow-bypass', 'let sessions run without any permission checks')
    .option('--watch', 'print a second address with read-only access')
    .option('--cli <path>', 'the CLI to use (coxswain doctor shows which one is found)')
    .option('--patched', 'start patched copies of an old JavaScript CLI (coxswain patch status)')
    .option('--chrome', 'connect sessions to the Chrome extension; the CLI must be logged in')
    .option('--max-running <count>', 'how many CLIs may run at once; other sessions wait', parseCount)
    .option('--idle <time>', 'park sessions without viewers after this idle time, such as 30m', parseDuration)
    .addOption(new Option(...ON_LIMIT).choices(['wait', 'fail']))
    .option(...HOLD_OPTION)
    .option('--max-budget-usd <dollars>', 'ask before a session costs more than this', parseMoney)
    .option('--owner-budget-usd <dollars>', 'ask before all sessions of one key cost more', parseMoney)
    .option('--day-budget-usd <dollars>', 'ask before all sessions cost more on one day (UTC)', parseMoney)
    .option('--total-budget-usd <dollars>', 'ask before all sessions together cost more', parseMoney)
    .option(
      '--label <name>',
      'with --nats: run new conversations only on workers with this label; repeatable',
      collect,
    )
    .option(
      '--priority <number>',
      'with --nats: conversations with a higher priority start first when slots are scarce (default: 0)',
      parseNumber,
    )
    .option(
      '--keep <time>',
      'with --nats: delete conversations unused for this long, such as 90d',
      parseDuration,
    )
    .option(
      '--cli-version <version>',
      'with --nats: the CLI version that new conversations need, such as 2.1',
    )
    .option('--state <folder>', 'where to keep sessions (default: in $XDG_STATE_HOME)')
    .option('--no-open', 'do not open the browser')
    .option('--json', 'print the address as JSON and open no browser')
    .option('--demo', 'use emulated CLIs: no key, no network, no Claude installed')
    .addHelpText('after', HELP)
    .addCommand(keysCommand(context, setExitCode))
    .action(async (flags: ConsoleFlags) => {
      // The server loads packages that other commands should not wait for.
      const { runConsole } = await import('./run-console.js');
      setExitCode(await runConsole(flags, context));
    });
  // Last, since few need them.
  return withEngineOptions(command.option(...SANDBOX_OPTION));
}

/** `coxswain console keys`: who has access, and what they may do. */
function keysCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  const state = ['--state <folder>', 'where to keep keys (default: in $XDG_STATE_HOME)'] as const;
  const roles = new Option('--role <role>', 'what the key allows').choices(['owner', 'operator', 'watcher']);
  const load = () => import('./console-keys.js');
  const keys = new Command('keys').description('Create, list and revoke console keys.');
  keys
    .command('add <name>')
    .description('Create a key and print its token, which is not shown again.')
    .addOption(roles.makeOptionMandatory())
    .option('--expires <days>', 'days until it expires (default: never)', parseMoney)
    .option(...state)
    .action(async (name: string, _flags: NewKeyFlags, command: Command) =>
      // `console` has a --state option too, and takes it wherever it appears.
      setExitCode((await load()).addKey(name, command.optsWithGlobals(), context)),
    );
  keys
    .command('list')
    .description('List the keys, without their tokens.')
    .option(...state)
    .action(async (_flags: KeyFlags, command: Command) =>
      setExitCode((await load()).listKeys(command.optsWithGlobals(), context)),
    );
  keys
    .command('remove <name>')
    .description('Revoke a key and disconnect its clients.')
    .option(...state)
    .action(async (name: string, _flags: KeyFlags, command: Command) =>
      setExitCode((await load()).removeKey(name, command.optsWithGlobals(), context)),
    );
  return keys;
}

const ON_LIMIT = ['--on-limit <what>', 'what happens to messages at a usage limit (default: wait)'] as const;

const HELP = `
The address for a browser goes to stdout. It works once; then a new one is printed. Programs use the token
that --json prints (a new one each time unless you set COXSWAIN_TOKEN), or one of \`coxswain console keys\`.
With --watch, or with a token in COXSWAIN_WATCH_TOKEN, a second address goes to stderr: its token gives read-only access to
all sessions.
With --max-running, idle sessions make room when others wait. A parked session has no CLI, which saves 150 to 400 MB each; the
next message starts one that continues the conversation.
After a restart, sessions are listed as ended and can be resumed; their prompts can still be answered.

With --nats it is a fleet gateway: it shows the conversations of all workers (coxswain worker) and has no CLIs itself.
Set the user and password for NATS in NATS_USER and NATS_PASSWORD, or a token in NATS_TOKEN, not in the address.

Ctrl-C ends the console and all its sessions; fleet conversations continue.`;
