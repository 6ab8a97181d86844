import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { posix, win32 } from 'node:path';
import { ROOM_BYTES, readStartOf } from './small-file.js';

/** What the launch needs to know about this machine; injected, so that other systems can be tested. */
export interface System {
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The host's environment; read, never written. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly cwd: string;
  readonly home: string;
  readonly tmp: string;
  /** The program that runs this host. */
  readonly execPath: string;
  /** Whether `execPath` is Electron, which runs scripts only when told to. */
  readonly electron: boolean;
  /** The user id, if the system has one. */
  readonly uid: number | undefined;
  readonly files: FileLook;
}

/** File access that never throws. */
export interface FileLook {
  /** The facts of a path, following links; undefined if nothing is there. */
  stat(path: string): FileFacts | undefined;
  executable(path: string): boolean;
  /** The path with all links resolved, or the path itself. */
  real(path: string): string;
  /** The first bytes of a file, valid until the next call; undefined if it cannot be read. */
  start(path: string, bytes: number): Uint8Array | undefined;
}

/** The facts of a file that a launch needs. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  readonly size: number;
  readonly mtimeMs: number;
}

/** The machine this host runs on. */
export function realSystem(): System {
  return {
    platform: process.platform,
    arch: process.arch,
    env: process.env,
    cwd: process.cwd(),
    home: homedir(),
    tmp: tmpdir(),
    execPath: process.execPath,
    electron: process.versions.electron !== undefined,
    uid: process.getuid?.(),
    files: realFiles,
  };
}

/** The path functions of a platform, whatever platform this host runs on. */
export function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** The text of a small file; undefined if it cannot be read. */
export function readText(files: FileLook, path: string): string | undefined {
  const bytes = files.start(path, 1024 * 1024);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

/** A variable, by the naming rules of the platform: for Windows `Path` and `PATH` are the same. */
export function readVariable(
  platform: NodeJS.Platform,
  env: Readonly<NodeJS.ProcessEnv>,
  name: string,
): string | undefined {
  const found = variableName(platform, env, name);
  return found === undefined ? undefined : env[found];
}

/** The name under which an environment has a variable, by the same rules. */
export function variableName(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  if (platform !== 'win32') return Object.hasOwn(env, name) ? name : undefined;
  return Object.keys(env).find((each) => each.toLowerCase() === name.toLowerCase());
}

/** The home folder of a program with this environment: on Windows, Node reads a different variable. */
export function homeOf(
  env: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform = process.platform,
): string {
  return readVariable(platform, env, platform === 'win32' ? 'USERPROFILE' : 'HOME') || homedir();
}

const realFiles: FileLook = {
  stat(path) {
    return attempt(() => {
      // In a search most files are missing, and an error for each is slow.
      const facts = statSync(path, { throwIfNoEntry: false });
      if (facts === undefined) return undefined;
      const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
      return { kind, size: facts.size, mtimeMs: facts.mtimeMs };
    });
  },
  executable(path) {
    return (
      attempt(() => {
        // Its return value depends on the runtime; it is enough that it does not throw.
        accessSync(path, constants.X_OK);
        return true;
      }) ?? false
    );
  },
  real(path) {
    // The other one asks the system about every folder on the way.
    return attempt(() => realpathSync.native(path)) ?? path;
  },
  start(path, bytes) {
    return attempt(() => (existsSync(path) ? readStart(path, bytes) : undefined));
  },
};

function readStart(path: string, bytes: number): Uint8Array {
  const start = readStartOf(path, bytes);
  // A manifest that is longer than a header.
  return start.length === ROOM_BYTES && bytes > ROOM_BYTES ? readFileSync(path).subarray(0, bytes) : start;
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
