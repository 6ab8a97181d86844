import { pathsOf, type System } from '../../../../../src/wire/transport/process/system.js';

/** A file of a made-up machine: its text or bytes, or a link; executable by default. */
export interface FakeFile {
  readonly text?: string | Uint8Array;
  readonly link?: string;
  readonly executable?: boolean;
}

/** The contents of a made-up machine; folders follow from the paths of its files. */
export interface FakeMachine extends Partial<Omit<System, 'files'>> {
  readonly files?: Readonly<Record<string, FakeFile>>;
  readonly folders?: readonly string[];
  /** When a path was last changed, in milliseconds since 1970. Default: 1. */
  readonly changed?: Readonly<Record<string, number>>;
}

/** A machine that exists only in a test; the first bytes of an x64 Linux program represent a binary. */
export function fakeSystem({ files = {}, folders = [], changed = {}, ...facts }: FakeMachine = {}): System {
  const platform = facts.platform ?? 'linux';
  const windows = platform === 'win32';
  const follow = (path: string): string => {
    const link = files[path]?.link;
    return link === undefined ? path : follow(link);
  };
  const known = new Set([...folders, ...Object.keys(files).flatMap((path) => parentsOf(path, platform))]);
  const bytesOf = (path: string): Uint8Array | undefined => {
    const text = files[follow(path)]?.text;
    return typeof text === 'string' ? new TextEncoder().encode(text) : text;
  };
  return {
    platform,
    arch: 'x64',
    env: { PATH: windows ? 'C:\\bin' : '/bin' },
    cwd: windows ? 'C:\\work' : '/work',
    home: windows ? 'C:\\home' : '/home/me',
    tmp: windows ? 'C:\\temp' : '/tmp',
    execPath: windows ? 'C:\\node\\node.exe' : '/opt/node/bin/node',
    electron: false,
    uid: windows ? undefined : 1000,
    ...facts,
    files: {
      stat: (path) => {
        const bytes = bytesOf(path);
        const mtimeMs = changed[path] ?? 1;
        if (bytes !== undefined) return { kind: 'file', size: bytes.length, mtimeMs };
        return known.has(path) ? { kind: 'folder', size: 0, mtimeMs } : undefined;
      },
      executable: (path) => files[follow(path)]?.executable ?? true,
      real: follow,
      start: (path, bytes) => bytesOf(path)?.subarray(0, bytes),
    },
  };
}

function parentsOf(path: string, platform: NodeJS.Platform): string[] {
  const parent = pathsOf(platform).dirname(path);
  return parent === path ? [parent] : [parent, ...parentsOf(parent, platform)];
}

/** The header of a Linux program: machine 62 is x64, 183 is arm64. */
export function elf(machine = 62, loader?: string): Uint8Array {
  const bytes = new Uint8Array(256);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x7f454c46);
  view.setUint8(4, 2);
  view.setUint8(5, 1);
  view.setUint16(18, machine, true);
  if (loader === undefined) return bytes;
  view.setBigUint64(32, 64n, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  view.setUint32(64, 3, true);
  view.setBigUint64(64 + 8, 128n, true);
  view.setBigUint64(64 + 32, BigInt(loader.length + 1), true);
  bytes.set(new TextEncoder().encode(`${loader}\0`), 128);
  return bytes;
}
