import { EventEmitter } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Options } from '../../../../src/entry/compat/types/option-types.js';
import type { SpawnedProcess } from '../../../../src/entry/compat/types/process-types.js';
import type { Clock } from '../../../../src/wire/util/clock.js';
import { type Phase, SilentCli } from '../../../support/silent-cli.js';

/** A silent CLI as the program's own spawner would return it; it exits a second after its stdin ends. */
class SilentProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly killed = false;
  exitCode: number | null = null;

  constructor(cli: SilentCli) {
    super();
    cli.start((lines) => {
      for (const line of lines) this.stdout.write(`${line}\n`);
    });
    const lines = createInterface({ input: this.stdin });
    lines.on('line', (line) => void cli.send(line).catch(() => {}));
    lines.on('close', () => void cli.close());
    void cli.ended.then(() => {
      this.exitCode = 0;
      this.stdout.end();
      this.emit('exit', 0, null);
    });
  }

  kill(): boolean {
    return false;
  }
}

/** Options that start a silent CLI, with callbacks that never answer. */
export function silentOptions(phase: Phase, version: string, clock: Clock): Options {
  const never = () => new Promise<never>(() => {});
  return {
    pathToClaudeCodeExecutable: '/made/up',
    spawnClaudeCodeProcess: () => new SilentProcess(new SilentCli(phase, version, clock)),
    canUseTool: never,
  };
}
