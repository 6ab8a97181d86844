import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An image that the tests make from a tree of links: `/usr` of this machine is mounted into it. */
export const PODMAN_IMAGE = 'coxswain-test:1';

/** A podman that runs here, or why it does not. */
export interface Podman extends Disposable {
  readonly problem: string | undefined;
  /** Variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
}

/** Makes the image and tries it, as a machine with fewer rights than most allows. */
export function preparePodman(): Podman {
  const folder = mkdtempSync(join(tmpdir(), 'podman-'));
  const env = { CONTAINERS_CONF: join(folder, 'containers.conf') };
  const podman = (...args: string[]) =>
    execFileSync('podman', args, { env: { ...process.env, ...env }, stdio: 'pipe', timeout: 60_000 });
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    const limits = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
    const files = /^\d+$/.test(limits) ? limits : '1024';
    writeFileSync(
      env.CONTAINERS_CONF,
      `[containers]\ndefault_ulimits = ["nofile=${files}:${files}", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n`,
    );
    const root = join(folder, 'root');
    for (const name of ['etc', 'tmp', 'proc', 'dev', 'sys', 'usr', 'run'])
      mkdirSync(join(root, name), { recursive: true });
    for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
    writeFileSync(join(root, 'etc', 'passwd'), 'root:x:0:0:root:/tmp:/bin/sh\n');
    execFileSync('tar', ['-C', root, '-cf', join(folder, 'root.tar'), '.']);
    podman('import', join(folder, 'root.tar'), PODMAN_IMAGE);
    // What the sessions of a test need.
    const tried = ['--rm', '--pull', 'never', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    for (const network of ['none', 'host']) {
      const more = ['--pids-limit', '512', '--network', network, '--tmpfs', '/tmp:mode=1777,exec'];
      podman('run', ...tried, ...more, '--volume', '/usr:/usr:ro', PODMAN_IMAGE, '/bin/sh', '-c', ':');
    }
    return { problem: undefined, env, [Symbol.dispose]: dispose };
  } catch (error) {
    const problem = `podman does not run here: ${String(error).slice(0, 200)}`;
    return { problem, env, [Symbol.dispose]: dispose };
  }
}
