import type { Command } from 'commander';
import type { Surroundings } from './surroundings.js';

/** Makes one command. */
export type MakeCommand = (surroundings: Surroundings, setExitCode: (code: number) => void) => Command;

/** A command that is loaded on demand. */
export interface ListedCommand {
  /** A description for the help. */
  readonly about: string;
  readonly load: () => Promise<MakeCommand>;
}

/** Every command, in help order. Most of them load a lot of code, so only the requested one is loaded. */
export const commandList: Readonly<Record<string, ListedCommand>> = {
  demo: {
    about: 'Run a scripted conversation with an emulated CLI: no key, no network, no Claude installed.',
    load: async () => (await import('./commands/demo.js')).demoCommand,
  },
  console: {
    about: 'Serve sessions to your browser and to programs on this machine.',
    load: async () => (await import('./commands/console.js')).consoleCommand,
  },
  worker: {
    about: 'Be a machine of a fleet: have conversations and their CLIs, on NATS JetStream.',
    load: async () => (await import('./commands/worker.js')).workerCommand,
  },
  fleet: {
    about: 'Try a fleet out: a NATS server, two workers and a gateway on this machine.',
    load: async () => (await import('./commands/fleet.js')).fleetCommand,
  },
  ps: {
    about: 'List the sessions of the running console.',
    load: async () => (await import('./commands/ps.js')).psCommand,
  },
  send: {
    about: 'Send a message to a console session, and optionally wait for the answer.',
    load: async () => (await import('./commands/send.js')).sendCommand,
  },
  attach: {
    about: 'Chat with a console session in the terminal, and answer its prompts.',
    load: async () => (await import('./commands/attach.js')).attachCommand,
  },
  logs: {
    about: 'Print past and new events of a console session.',
    load: async () => (await import('./commands/logs.js')).logsCommand,
  },
  mcp: {
    about: 'Serve conversations as MCP tools on stdin and stdout, for other agents to use.',
    load: async () => (await import('./commands/mcp.js')).mcpCommand,
  },
  run: {
    about: 'Send one prompt to the Claude CLI and stream the answer.',
    load: async () => (await import('./commands/run.js')).runCommand,
  },
  acp: {
    about: 'Run as an agent for editors: the Agent Client Protocol on stdin and stdout.',
    load: async () => (await import('./commands/acp.js')).acpCommand,
  },
  doctor: {
    about: 'Show which Claude CLI is found, whether it works, and what to do if it does not.',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  model: {
    about: 'Serve a scripted model on 127.0.0.1 for a Claude CLI: no key, no network.',
    load: async () => (await import('./commands/model.js')).modelCommand,
  },
  emulate: {
    about: 'Emulate a Claude CLI on stdin and stdout: no model, no key, no network.',
    load: async () => (await import('./commands/emulate.js')).emulateCommand,
  },
  probe: {
    about: 'Test how a Claude CLI behaves on the control protocol: offline, no key, no network.',
    load: async () => (await import('./commands/probe.js')).probeCommand,
  },
  versions: {
    about: 'Show which versions of the Claude CLI support what; starts nothing.',
    load: async () => (await import('./commands/versions.js')).versionsCommand,
  },
  patch: {
    about: 'Patch a copy of an old JavaScript CLI to support more endpoints.',
    load: async () => (await import('./commands/patch.js')).patchCommand,
  },
  tap: {
    about: 'Record the traffic between any program and the Claude CLI.',
    load: async () => (await import('./commands/tap.js')).tapCommand,
  },
  trace: {
    about: 'Inspect, compare and check recordings, and turn them into tests.',
    load: async () => (await import('./commands/trace.js')).traceCommand,
  },
  sessions: {
    about: 'List, show and check the conversations that the CLI keeps on disk.',
    load: async () => (await import('./commands/sessions.js')).sessionsCommand,
  },
  inspect: {
    about: 'Show a recording in the browser: large ones in parts, growing ones live.',
    load: async () => (await import('./commands/inspect.js')).inspectCommand,
  },
  compat: {
    about: 'Show what a program written for the official SDK must change to run on coxswain/compat.',
    load: async () => (await import('./commands/compat.js')).compatCommand,
  },
};
