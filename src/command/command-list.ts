import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

/** Makes one command. */
export type MakeCommand = (surroundings: Surroundings, setExitCode: (code: number) => void) => Command;

/** A command that is loaded when it is asked for. */
export interface ListedCommand {
  /** What it does, for the help. */
  readonly about: string;
  readonly load: () => Promise<MakeCommand>;
}

/** Every command, in the order of the help. Only what is asked for is loaded: most of them load a lot. */
export const commandList: Readonly<Record<string, ListedCommand>> = {
  demo: {
    about: 'Have a scripted conversation with an emulated CLI: no key, no network, no Claude installed.',
    load: async () => (await import('./commands/demo.js')).demoCommand,
  },
  console: {
    about: 'Serve sessions to your browser and to programs, on this machine.',
    load: async () => (await import('./commands/console.js')).consoleCommand,
  },
  ps: {
    about: 'List the sessions of the console that runs.',
    load: async () => (await import('./commands/ps.js')).psCommand,
  },
  send: {
    about: 'Send a message to a session of the console, and wait for the answer if wanted.',
    load: async () => (await import('./commands/send.js')).sendCommand,
  },
  attach: {
    about: 'Talk in a session of the console from a terminal, and answer what it asks.',
    load: async () => (await import('./commands/attach.js')).attachCommand,
  },
  logs: {
    about: 'Print what happened in a session of the console, and what happens.',
    load: async () => (await import('./commands/logs.js')).logsCommand,
  },
  mcp: {
    about: 'Serve conversations as MCP tools, on stdin and stdout, so that other agents can use them.',
    load: async () => (await import('./commands/mcp.js')).mcpCommand,
  },
  run: {
    about: 'Send one prompt to the Claude CLI and print the answer as it comes.',
    load: async () => (await import('./commands/run.js')).runCommand,
  },
  acp: {
    about: 'Be an agent for editors: the Agent Client Protocol on stdin and stdout.',
    load: async () => (await import('./commands/acp.js')).acpCommand,
  },
  doctor: {
    about: 'Say which Claude CLI is found, whether it works, and what to do if it does not.',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  model: {
    about: 'Serve a scripted model on 127.0.0.1 for a Claude CLI to talk to: no key, no network.',
    load: async () => (await import('./commands/model.js')).modelCommand,
  },
  emulate: {
    about: 'Play a Claude CLI on stdin and stdout: no model, no key, no network.',
    load: async () => (await import('./commands/emulate.js')).emulateCommand,
  },
  probe: {
    about: 'Find out what a Claude CLI does with the control protocol: offline, no key, no network.',
    load: async () => (await import('./commands/probe.js')).probeCommand,
  },
  versions: {
    about: 'Say which versions of the Claude CLI can do what: from the ledger, nothing is started.',
    load: async () => (await import('./commands/versions.js')).versionsCommand,
  },
  patch: {
    about: 'Patch a copy of an old JavaScript CLI, so that it serves more endpoints.',
    load: async () => (await import('./commands/patch.js')).patchCommand,
  },
  tap: {
    about: 'Stand between any program and the Claude CLI: pass everything on, and record a copy.',
    load: async () => (await import('./commands/tap.js')).tapCommand,
  },
  trace: {
    about: 'Look at recordings, compare and check them, and make tests of them.',
    load: async () => (await import('./commands/trace.js')).traceCommand,
  },
  sessions: {
    about: 'List, show and check the conversations that the CLI keeps on disk.',
    load: async () => (await import('./commands/sessions.js')).sessionsCommand,
  },
  inspect: {
    about:
      'Show a recording in the browser; a large one part by part, one that is being written as it grows.',
    load: async () => (await import('./commands/inspect.js')).inspectCommand,
  },
  compat: {
    about: 'Say what a program of the official SDK has to change to run on coxswain/compat.',
    load: async () => (await import('./commands/compat.js')).compatCommand,
  },
};
