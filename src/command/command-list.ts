import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** Makes one command. */
export type MakeCommand = (context: CommandContext, setExitCode: (code: number) => void) => Command;

/** A command that is loaded on demand. */
export interface ListedCommand {
  /** The heading above it in the help. */
  readonly group: string;
  /** A description for the help. */
  readonly about: string;
  readonly load: () => Promise<MakeCommand>;
}

/** The commands in help order. Most of them load a lot of code, so only the requested one is loaded. */
const commandList: Readonly<Record<string, ListedCommand>> = {
  demo: {
    group: 'Start here:',
    about: 'Run a scripted conversation with an emulated CLI: no key, no network, no Claude installed.',
    load: async () => (await import('./demo/demo.js')).demoCommand,
  },
  doctor: {
    group: 'Start here:',
    about: 'Show which Claude CLI is found, whether it works, and what to do if it does not.',
    load: async () => (await import('./doctor/doctor.js')).doctorCommand,
  },
  run: {
    group: 'Start here:',
    about: 'Send one message to the Claude CLI and stream the answer.',
    load: async () => (await import('./run/run.js')).runCommand,
  },
  console: {
    group: 'Console:',
    about: 'Serve sessions to your browser and to programs on this machine.',
    load: async () => (await import('./console/console.js')).consoleCommand,
  },
  ps: {
    group: 'Console:',
    about: 'List the sessions in the running console.',
    load: async () => (await import('./served/ps.js')).psCommand,
  },
  send: {
    group: 'Console:',
    about: 'Send a message to a console session, and optionally wait for the answer.',
    load: async () => (await import('./served/send.js')).sendCommand,
  },
  attach: {
    group: 'Console:',
    about: 'Chat with a console session in the terminal, and answer its prompts.',
    load: async () => (await import('./served/attach.js')).attachCommand,
  },
  logs: {
    group: 'Console:',
    about: 'Print past and new events of a console session.',
    load: async () => (await import('./served/logs.js')).logsCommand,
  },
  acp: {
    group: 'Editors and other agents:',
    about: 'Run as an agent for editors: the Agent Client Protocol on stdin and stdout.',
    load: async () => (await import('./acp/acp.js')).acpCommand,
  },
  mcp: {
    group: 'Editors and other agents:',
    about: 'Serve conversations as MCP tools on stdin and stdout, for other agents to use.',
    load: async () => (await import('./mcp/mcp.js')).mcpCommand,
  },
  worker: {
    group: 'Fleet:',
    about:
      'Run a fleet worker: conversations and their CLIs on this machine, coordinated through NATS JetStream.',
    load: async () => (await import('./fleet/worker.js')).workerCommand,
  },
  fleet: {
    group: 'Fleet:',
    about: 'Try out a fleet: a NATS server, two workers and a gateway on this machine.',
    load: async () => (await import('./fleet/fleet.js')).fleetCommand,
  },
  tap: {
    group: 'Recordings:',
    about: 'Record the traffic between any program and the Claude CLI.',
    load: async () => (await import('./recordings/tap.js')).tapCommand,
  },
  inspect: {
    group: 'Recordings:',
    about: 'Show a recording in the browser, even a large one or one still being written.',
    load: async () => (await import('./recordings/inspect.js')).inspectCommand,
  },
  trace: {
    group: 'Recordings:',
    about: 'Inspect, compare and check recordings, and turn them into tests.',
    load: async () => (await import('./recordings/trace.js')).traceCommand,
  },
  emulate: {
    group: 'Testing without a key:',
    about: 'Emulate a Claude CLI on stdin and stdout: no model, no key, no network.',
    load: async () => (await import('./testing/emulate.js')).emulateCommand,
  },
  'script-model': {
    group: 'Testing without a key:',
    about: 'Serve a scripted model on 127.0.0.1 for a Claude CLI: no key, no network.',
    load: async () => (await import('./testing/script-model.js')).modelCommand,
  },
  sessions: {
    group: 'CLIs and their conversations:',
    about: 'List, show and check the conversations that the CLI keeps on disk.',
    load: async () => (await import('./clis/sessions.js')).sessionsCommand,
  },
  versions: {
    group: 'CLIs and their conversations:',
    about: 'Show which Claude CLI versions support what. Does not start a CLI.',
    load: async () => (await import('./clis/versions.js')).versionsCommand,
  },
  probe: {
    group: 'CLIs and their conversations:',
    about: 'Test how a Claude CLI behaves on the control protocol: offline, no key, no network.',
    load: async () => (await import('./clis/probe.js')).probeCommand,
  },
  patch: {
    group: 'CLIs and their conversations:',
    about: 'Patch a copy of an old JavaScript CLI to support more endpoints.',
    load: async () => (await import('./patch/patch.js')).patchCommand,
  },
  compat: {
    group: 'CLIs and their conversations:',
    about: 'Show what to change in a program written for the official SDK so it runs on coxswain/compat.',
    load: async () => (await import('./compat/compat.js')).compatCommand,
  },
};

/** The heading above everything else in the help. */
export const OTHER = 'Other:';

/** Every command: those above, and the one that completes them. */
export const allCommands: Readonly<Record<string, ListedCommand>> = {
  ...commandList,
  completion: {
    group: OTHER,
    about: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion.js')).makeCompletion(commandList),
  },
};
