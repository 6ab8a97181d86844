import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { streamTransport } from '../../transport/streams.js';
import type { Transport } from '../../transport/transport.js';

/** What is started, where and with what. */
export interface SpawnCliOptions {
  readonly path: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/** Starts a CLI in stream mode and makes its pipes a transport. */
export async function spawnCli({ path, cwd, env, args }: SpawnCliOptions): Promise<Transport> {
  const isScript = path.endsWith('.js');
  const command = isScript ? process.execPath : path;
  const child = spawn(command, [...(isScript ? [path] : []), ...STREAM_ARGS, ...args], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(child, 'spawn');
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('no pipes');
  const inner = streamTransport(stdout, stdin, { closeWaitMs: 5_000 });
  return {
    ended: inner.ended,
    start: (onLines) => inner.start(onLines),
    pause: () => inner.pause(),
    resume: () => inner.resume(),
    send: (line) => inner.send(line),
    close: async () => {
      stdin.end();
      await exited(child, 5_000);
      return inner.close();
    },
  };
}

async function exited(child: ChildProcess, waitMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), waitMs);
  await once(child, 'exit');
  clearTimeout(timer);
}

const STREAM_ARGS = [
  '--output-format',
  'stream-json',
  '--input-format',
  'stream-json',
  '--verbose',
  '--permission-prompt-tool',
  'stdio',
  '--setting-sources',
  '',
];
