import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { argumentText } from '../../../host/cli/options/argument-text.js';
import { passOptions } from '../../../host/cli/options/arguments.js';
import { streamTransport } from '../../../wire/transport/streams.js';
import { systemClock } from '../../../wire/util/clock.js';
import { deferred } from '../../../wire/util/deferred.js';
import { newServer } from '../../testing/emulator/asking/emulated-servers.js';
import { Emulator } from '../../testing/emulator/emulator.js';
import { isRefusal, readArguments } from '../../testing/emulator/program/arguments.js';
import { launchSession } from '../../testing/emulator/program/session-start.js';
import { Transcript } from '../../testing/emulator/program/transcript.js';
import { onUser } from '../../testing/emulator/scenario/scenario.js';
import type { ServerState } from '../../testing/emulator/session-state.js';
import { askModel } from '../../testing/emulator/steps/model-steps.js';
import { Script } from '../../testing/emulator/turns/scenario-progress.js';
import { traitsOf } from '../../testing/emulator/versions/traits.js';
import { makeThrowawayFolders } from '../../testing/real-cli/throwaway-folders.js';
import { part } from '../reading.js';
import type { Exit, Patience, Place, Start, StartedCli, Subject } from '../subject.js';
import { writeFiles } from './files.js';
import { type ScriptedSpeech, scriptedSpeech } from './scripted-speech.js';

/** In memory, nothing takes long; programs that the emulator starts, and a busy machine, need a moment. */
const PATIENCE: Patience = { startMs: 15_000, answerMs: 5_000, turnMs: 40_000, quietMs: 1_000 };

/** The emulator as any version, in this process. */
export function emulatedSubject(version: string): Subject {
  return {
    name: `emulator ${version}`,
    patience: PATIENCE,
    concurrency: 8,
    makePlace: () => makeThrowawayFolders(),
    start: (start) => startEmulated(version, start),
  };
}

async function startEmulated(version: string, start: Start): Promise<StartedCli> {
  const { place, files = {} } = start;
  const folders = place ?? (await makeThrowawayFolders());
  await writeFiles(folders, files);
  const model = await scriptedSpeech();
  const pipes = new MemoryPipes();
  play(version, { start, folders, model, pipes });
  const transport = streamTransport(pipes.stdout, pipes.stdin);
  return {
    transport,
    cwd: folders.cwd,
    version: Promise.resolve(version),
    model,
    exit: pipes.exited.promise,
    write: async (text) => void pipes.stdin.write(text),
    endInput: () => void pipes.stdin.end(),
    kill: (signal) => pipes.kill(signal),
    readFile: (file) => readFile(join(folders.cwd, file), 'utf8').catch(() => undefined),
    close: async () => {
      pipes.kill('SIGKILL');
      await transport.close();
      await model.server.close();
      if (place === undefined) await folders.remove();
    },
  };
}

interface Parts {
  readonly start: Start;
  readonly folders: Place;
  readonly model: ScriptedSpeech;
  readonly pipes: MemoryPipes;
}

/** Plays the program like a process: an invalid command line ends it. */
function play(version: string, { start, folders, model, pipes }: Parts): void {
  const traits = traitsOf(version);
  const passed = passOptions({ ...DEFAULTS, ...start.flags });
  const env = {
    ...passed.variables,
    CLAUDE_CODE_MAX_RETRIES: '1',
    ...start.env,
    HOME: folders.home,
    COXSWAIN_SESSIONS: join(folders.home, '.claude', 'projects'),
    ANTHROPIC_BASE_URL: model.server.url,
  };
  const args = readArguments(passed.arguments.map(argumentText));
  const launched = launchSession({ args, traits, env, cwd: folders.cwd, pid: process.pid, isRoot: false });
  if (isRefusal(launched)) {
    if (launched.message !== undefined) pipes.stdout.write(`${JSON.stringify(launched.message)}\n`);
    pipes.stderr.write(launched.stderr);
    pipes.exit({ code: launched.code, signal: null });
    return;
  }
  for (const server of settingsServers(start)) launched.servers.set(server.name, server);
  const { cwd, sessionId } = launched;
  const clock = systemClock;
  const transcript = new Transcript({ env, cwd, sessionId, traits, clock });
  const script = new Script([onUser(undefined, [askModel()], { times: 'any' })]);
  const emulator = new Emulator({
    pipes,
    traits,
    script,
    state: launched,
    clock,
    // Probes send what no host should; that is the point.
    strict: false,
    transcript,
  });
  // A killed process does nothing more; this one has to be told.
  pipes.onKill = () => emulator.exit({ signal: 'SIGKILL' });
  void emulator.start();
}

/** The servers in the user's settings file; the emulator itself reads no settings. */
function settingsServers({ files = {}, flags = {} }: Start): readonly ServerState[] {
  const text = flags.settingSources?.includes('user') ? files['home/.claude.json'] : undefined;
  const settings: unknown = text === undefined ? {} : JSON.parse(text);
  return Object.entries(part(settings, 'mcpServers')).map(([name, config]) =>
    newServer(name, { kind: 'process', from: 'settings', config: part(config) }),
  );
}

/** As real CLIs are started by `realCli`. */
const DEFAULTS = {
  settingSources: [],
  permissionPromptTool: 'stdio',
  model: 'sonnet',
  permissionMode: 'default',
} as const;

/** The pipes of an in-memory process. */
class MemoryPipes {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exited = deferred<Exit>();
  onKill: () => void = () => {};
  #onSignal: ((signal: string) => void) | undefined;
  #stderrText = '';
  #over = false;

  constructor() {
    this.stderr.on('data', (chunk: Buffer) => {
      this.#stderrText += chunk.toString();
    });
  }

  onSignal(listener: (signal: string) => void): void {
    this.#onSignal = listener;
  }

  kill(signal: string): void {
    if (signal === 'SIGKILL') this.onKill();
    if (signal === 'SIGKILL' || this.#onSignal === undefined) this.exit({ code: null, signal });
    else this.#onSignal(signal);
  }

  exit(status: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#over) return;
    this.#over = true;
    this.stdout.end();
    this.stdin.destroy();
    this.exited.resolve({ ...status, stderr: this.#stderrText });
  }
}
