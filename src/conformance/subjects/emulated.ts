import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { isObject } from '../../protocol/frames.js';
import { Emulator } from '../../testing/emulator/emulator.js';
import { newServer } from '../../testing/emulator/mcp-servers.js';
import { personalities } from '../../testing/emulator/personalities/personalities.js';
import { Script } from '../../testing/emulator/script.js';
import { type SessionStart, type SessionState, startSession } from '../../testing/emulator/session-state.js';
import type { EmulatedVersion } from '../../testing/emulator/traits.js';
import { streamTransport } from '../../transport/streams.js';
import { systemClock } from '../../util/clock.js';
import { deferred } from '../../util/deferred.js';
import { type Speech, speakingScenario } from '../speech.js';
import type { Exit, Flags, Patience, Start, StartedCli, Subject } from '../subject.js';

/** In memory nothing takes long, so silence needs no long wait. */
const PATIENCE: Patience = { startMs: 5_000, answerMs: 5_000, turnMs: 10_000, quietMs: 150 };

/** The emulator in one of its personalities, in this process. */
export function emulatedSubject(version: EmulatedVersion): Subject {
  return {
    name: `emulator ${version}`,
    patience: PATIENCE,
    concurrency: 8,
    version: async () => version,
    makePlace: async () => ({ ...FOLDERS, remove: async () => {} }),
    start: async (start) => startEmulated(version, start),
  };
}

const FOLDERS = { home: '/home/user', cwd: '/project' };

function startEmulated(version: EmulatedVersion, { flags = {} }: Start): StartedCli {
  const desk = new EmulatedDesk();
  const pipes = new MemoryPipes();
  const emulator = new Emulator({
    pipes,
    personality: personalities[version],
    script: new Script(speakingScenario(() => desk.take())),
    state: sessionState(flags),
    clock: systemClock,
    strict: false,
  });
  void emulator.start();
  const transport = streamTransport(pipes.stdout, pipes.stdin);
  return {
    transport,
    cwd: FOLDERS.cwd,
    model: desk,
    exit: pipes.exited.promise,
    write: async (text) => void pipes.stdin.write(text),
    endInput: () => void pipes.stdin.end(),
    kill: (signal) => pipes.kill(signal),
    readFile: async () => undefined,
    close: async () => {
      pipes.kill('SIGKILL');
      await transport.close();
    },
  };
}

function sessionState(flags: Flags): SessionState {
  const { sessionId = randomUUID(), settingSources = [] } = flags;
  const state = startSession({ ...FOLDERS, ...startOf(flags), sessionId, settingSources });
  for (const [name, config] of Object.entries(flags.mcpServers ?? {})) {
    const kind = config.type === 'sdk' ? 'sdk' : 'process';
    state.servers.set(name, newServer(name, { kind, from: 'flags', config }));
  }
  return state;
}

function startOf(flags: Flags): SessionStart {
  const bypass = bypassAllowed(flags);
  return {
    model: 'sonnet',
    partialMessages: flags.includePartialMessages === true,
    replayUserMessages: flags.replayUserMessages === true,
    promptsHost: (flags.permissionPromptTool ?? 'stdio') === 'stdio',
    checkpointing: flags.enableFileCheckpointing === true,
    ...(bypass === undefined ? {} : { bypassAllowed: bypass }),
  };
}

function bypassAllowed({ settings, allowDangerouslySkipPermissions }: Flags): boolean | undefined {
  const permissions = isObject(settings) ? settings.permissions : undefined;
  if (isObject(permissions) && permissions.disableBypassPermissionsMode === 'disable') return false;
  return allowDangerouslySkipPermissions === true ? true : undefined;
}

class EmulatedDesk {
  readonly calls = undefined;
  #queue: Speech[] = [];

  say(speech: readonly Speech[]): void {
    this.#queue = [...speech];
  }

  take(): Speech | undefined {
    return this.#queue.shift();
  }
}

/** The pipes of a process that is none. */
class MemoryPipes {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly exited = deferred<Exit>();
  #onSignal: ((signal: string) => void) | undefined;
  #stderrText = '';

  constructor() {
    this.stderr.on('data', (chunk: Buffer) => {
      this.#stderrText += chunk.toString();
    });
  }

  onSignal(listener: (signal: string) => void): void {
    this.#onSignal = listener;
  }

  kill(signal: string): void {
    if (signal === 'SIGKILL' || this.#onSignal === undefined) this.exit({ code: null, signal });
    else this.#onSignal(signal);
  }

  exit(status: { readonly code: number | null; readonly signal: string | null }): void {
    this.stdout.end();
    this.stdin.destroy();
    this.exited.resolve({ ...status, stderr: this.#stderrText });
  }
}
