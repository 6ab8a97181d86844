import { execFileSync } from 'node:child_process';

/** Why bubblewrap cannot run here; undefined if it can. */
export const noBubblewrap: string | undefined = (() => {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux';
  try {
    execFileSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'true'], {
      stdio: 'pipe',
    });
    return undefined;
  } catch (error) {
    return `bubblewrap does not run here: ${String(error).slice(0, 200)}`;
  }
})();
