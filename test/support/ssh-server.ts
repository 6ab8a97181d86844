import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/** An ssh server of a test's own, for this user on loopback. */
export interface SshServer extends AsyncDisposable {
  /** The arguments for ssh, besides the host. */
  readonly args: readonly string[];
}

const SSHD = '/usr/sbin/sshd';

/** Why there can be no server here; undefined if there can. */
export const noSshServer: string | undefined = ['/usr/bin/ssh', '/usr/bin/ssh-keygen', SSHD].every((path) =>
  existsSync(path),
)
  ? undefined
  : 'openssh-server is not installed';

/** Starts one with keys that are made for it. */
export async function startSshServer(): Promise<SshServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'));
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)]);
  writeFileSync(join(folder, 'authorized'), readFileSync(join(folder, 'user.pub')));
  // A server of root refuses to start without it; the system's own service makes it.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const port = await freePort();
  const options = {
    ...{ ListenAddress: '127.0.0.1', Port: port, HostKey: join(folder, 'host'), PidFile: 'none' },
    ...{ AuthorizedKeysFile: join(folder, 'authorized'), StrictModes: 'no', UsePAM: 'no' },
    ...{ PasswordAuthentication: 'no', PermitRootLogin: 'prohibit-password' },
  };
  const words = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  const server = spawn(SSHD, ['-D', '-e', '-f', '/dev/null', ...words], { stdio: 'ignore' });
  await eventually(() => reaches(port));
  return {
    args: [
      ...['-F', '/dev/null', '-p', String(port), '-i', join(folder, 'user'), '-o', 'LogLevel=ERROR'],
      ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
    ],
    [Symbol.asyncDispose]: async () => {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function reaches(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
