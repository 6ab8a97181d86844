import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../console.js';
import { type NatsServer, natsServer } from './nats-server.js';
import { natsProgram } from './with-nats.js';

const MOUNT = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size="$1" tmpfs "$0" && echo mounted && read -r _'];

/** Why a test cannot have a disk of its own, or an empty string. */
export function noSmallDisk(): string {
  if (process.platform !== 'linux') return 'only Linux can mount a small disk';
  try {
    execFileSync('unshare', [...MOUNT, '/mnt', '1m'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 10_000,
    });
    return '';
  } catch (error) {
    const { status, stderr } = error as { readonly status?: number; readonly stderr?: Buffer };
    // `read` finds no input, which is the last thing that it does.
    return status === 1 && String(stderr) === '' ? '' : `no small disk can be mounted: ${stderr}`;
  }
}

/** A server whose store is a small disk, which can be filled. */
export interface SmallDiskServer extends NatsServer {
  fill(): void;
  /** Removes what fills it. */
  free(): void;
}

/** Starts a server on a disk of so many megabytes, which only it can see; both go after the test. */
export async function smallDiskServer(megabytes: number): Promise<SmallDiskServer> {
  const folder = await temporaryFolder();
  const storeDir = join(folder, 'store');
  mkdirSync(storeDir);
  const holder = spawn('unshare', [...MOUNT, storeDir, `${megabytes}m`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  const program = join(folder, 'nats-server');
  const enter = `nsenter --preserve-credentials -U -m -t ${holder.pid}`;
  writeFileSync(program, `#!/bin/sh\nexec ${enter} "${natsProgram}" "$@"\n`);
  chmodSync(program, 0o755);
  const server = await natsServer({ program, storeDir });
  const filler = new Filler(join(`/proc/${holder.pid}/root`, storeDir));
  return Object.assign(server, { fill: () => filler.fill(), free: () => filler.free() });
}

class Filler {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = join(folder, 'filler');
  }

  fill(): void {
    mkdirSync(this.#folder);
    for (const bytes of [64 * 1024, 4 * 1024]) this.#fillWith(bytes);
  }

  free(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #fillWith(bytes: number): void {
    for (let number = 0; ; number += 1) {
      try {
        writeFileSync(join(this.#folder, `${bytes}-${number}`), Buffer.alloc(bytes));
      } catch {
        return;
      }
    }
  }
}
