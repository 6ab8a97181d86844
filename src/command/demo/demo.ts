import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type { DemoOptions } from './run-demo.js';

/** `coxswain demo`: a scripted conversation with an emulated CLI. */
export function demoCommand(context: CommandContext, setExitCode: (code: number) => void): Command {
  return new Command('demo')
    .option('--cli-version <version>', 'the CLI version to emulate: any on npm from 2.0.0 on')
    .option('--no-input', 'never ask; use default answers')
    .option('--console', 'open it in the browser, like coxswain console --demo')
    .action(async (options: DemoOptions & { readonly console?: boolean }) => {
      if (options.console === true) {
        const { runConsole } = await import('../console/run-console.js');
        setExitCode(await runConsole({ demo: true, open: true }, context));
        return;
      }
      // The emulator loads the wire schemas, which other commands should not wait for.
      const { runDemo } = await import('./run-demo.js');
      setExitCode(await runDemo(options, context));
    });
}
