import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../console.js';
import { natsProgram } from './with-nats.js';

/** Why a test cannot have networks of its own, or an empty string. */
export function noNetworks(): string {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  const name = `cxt${process.pid}`;
  try {
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', `${name}p`);
    ip('link', 'delete', name);
    return '';
  } catch (error) {
    return `no network can be made: ${String(error).split('\n')[0]}`;
  }
}

/** A machine in a network of its own, which can be cut off. */
export interface Machine {
  readonly host: string;
  /** Runs the NATS server there. */
  readonly program: string;
  /** From now on nothing gets there, and nothing comes from there. */
  cutOff(): void;
  connect(): void;
}

/** Makes machines that reach each other and this one by a switch; they go after the test. */
export async function makeMachines(count: number): Promise<readonly Machine[]> {
  const id = `cx${process.pid % 100_000}`;
  const net = `10.231.${(process.pid % 250) + 1}`;
  ip('link', 'add', `${id}s`, 'type', 'bridge');
  onTestFinished(() => ip('link', 'delete', `${id}s`));
  ip('address', 'add', `${net}.1/24`, 'dev', `${id}s`);
  ip('link', 'set', `${id}s`, 'up');
  const folder = await temporaryFolder();
  return Array.from({ length: count }, (_, at): Machine => {
    const [space, link, host] = [`${id}n${at}`, `${id}l${at}`, `${net}.${at + 2}`];
    ip('netns', 'add', space);
    onTestFinished(() => ip('netns', 'delete', space));
    ip('link', 'add', link, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', link, 'master', `${id}s`, 'up');
    ip('-n', space, 'address', 'add', `${host}/24`, 'dev', 'eth0');
    for (const each of ['eth0', 'lo']) ip('-n', space, 'link', 'set', each, 'up');
    const program = join(folder, space);
    writeFileSync(program, `#!/bin/sh\nexec ip netns exec ${space} "${natsProgram}" "$@"\n`);
    chmodSync(program, 0o755);
    return {
      host,
      program,
      cutOff: () => ip('link', 'set', link, 'down'),
      connect: () => ip('link', 'set', link, 'up'),
    };
  });
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 10_000 });
}
