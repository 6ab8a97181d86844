import { execFile } from 'node:child_process';
import { endElsewhere } from '../../../wire/transport/process/end-elsewhere.js';
import { MARK_VARIABLE } from '../../../wire/transport/process/process-mark.js';
import { pathsOf, readText, type System } from '../../../wire/transport/process/system.js';
import { findVersion } from '../../../wire/util/versions.js';
import { BASIC_VARIABLES } from '../environment.js';
import type { Spawner, SpawnRequest } from '../spawner.js';
import type { Program } from './program.js';

/** The version of a CLI file without running it: from the package next to it, or from its path. */
export function versionBeside(
  cliPath: string,
  system: System,
  real: string = system.files.real(cliPath),
): string | undefined {
  const { dirname, join } = pathsOf(system.platform);
  const folder = dirname(real);
  // The binary of the official SDK is in a separate package, next to the one that has the CLI's version.
  const folders = [folder, join(folder, '..', 'claude-agent-sdk')];
  const told = folders.map((each) => packageVersion(readText(system.files, join(each, 'package.json'))));
  return told.find((version) => version !== undefined) ?? versionInPath(real);
}

function packageVersion(manifest = ''): string | undefined {
  try {
    const { name, version, claudeCodeVersion }: Record<string, unknown> = JSON.parse(manifest);
    // The official SDK has its own version, and names the CLI's version in its package.json.
    const told = String(name).startsWith('@anthropic-ai/claude-code') ? version : claudeCodeVersion;
    return typeof told === 'string' ? findVersion(told) : undefined;
  } catch {
    return undefined;
  }
}

/** The native installer stores each version in a file with that name. */
function versionInPath(path: string): string | undefined {
  const name = /[/\\]versions[/\\]([^/\\]+)$/.exec(path)?.[1];
  return name === undefined ? undefined : findVersion(name);
}

/** Runs a program and returns its output; never rejects. */
export type RunForVersion = (
  file: string,
  args: readonly string[],
  how: {
    readonly env: Readonly<Record<string, string>>;
    /** Whether its input stays open: elsewhere, a relay ends a program whose input has ended, even a slow one. */
    readonly keepsInput: boolean;
  },
) => Promise<string>;

/** The environment of the CLI, and the mark that identifies a hanging run so that it can be ended. */
export interface VersionSurroundings {
  /** The environment to ask in. */
  readonly env: Readonly<Record<string, string>>;
  /** The mark of the owner of the process. */
  readonly mark: string;
  /** Runs a program that is not of this host. */
  readonly spawner?: Spawner | undefined;
}

/** Runs CLIs to get their version, once for each state of the file. */
export class VersionCache {
  readonly #known = new Map<string, Promise<string | undefined>>();
  readonly #run: RunForVersion;

  constructor(run: RunForVersion = runForVersion) {
    this.#run = run;
  }

  /** The version that `--version` prints, or undefined if it prints none in time. */
  ask(program: Program, surroundings: VersionSurroundings, system: System): Promise<string | undefined> {
    const { spawner } = surroundings;
    const isElsewhere = spawner?.hasOwnPrograms === true;
    const key = isElsewhere ? `${spawner.name} ${program.cliPath}` : fileState(program.cliPath, system);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const args = [...program.prefix, '--version'];
    const printed = isElsewhere
      ? this.#runElsewhere({ file: program.file, cli: program.cliPath, args }, surroundings, spawner)
      : this.#run(program.file, args, { env: quietEnvironment(surroundings), keepsInput: false });
    const asked = printed.then(findVersion, () => undefined);
    this.#remember(key, asked);
    return asked;
  }

  async #runElsewhere(
    program: Pick<SpawnRequest, 'file' | 'cli' | 'args'>,
    surroundings: VersionSurroundings,
    spawner: Spawner,
  ): Promise<string> {
    const { [MARK_VARIABLE]: mark = '', ...env } = quietEnvironment(surroundings);
    const id = `${mark.replaceAll(/[^\w-]/g, '-')}-version`;
    const none = { conversation: undefined, files: [], writable: [], readable: [] };
    const request = { ...program, ...none, env, cwd: '.', id };
    const { end, ...command } = await spawner.prepare(request);
    try {
      const marked = { ...command.env, [MARK_VARIABLE]: mark };
      return await this.#run(command.file, command.args, { env: marked, keepsInput: true });
    } finally {
      await endElsewhere(end);
    }
  }

  #remember(key: string, asked: Promise<string | undefined>): void {
    const oldest = this.#known.keys().next();
    if (this.#known.size >= MAX_KNOWN && oldest.done === false) this.#known.delete(oldest.value);
    this.#known.set(key, asked);
    // An aborted run says nothing about the next one.
    void asked.then((version) => version ?? this.#known.delete(key));
  }
}

const MAX_KNOWN = 64;

function fileState(cliPath: string, system: System): string {
  const real = system.files.real(cliPath);
  const facts = system.files.stat(real);
  return `${real} ${facts?.size} ${facts?.mtimeMs}`;
}

/** Printing a version needs no key and no settings, and should do nothing else. */
function quietEnvironment({ env, mark }: VersionSurroundings): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => BASIC_VARIABLES.includes(name.toUpperCase()));
  return {
    ...Object.fromEntries(kept),
    [MARK_VARIABLE]: mark,
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}

const VERSION_MS = 15_000;
/** A container or a connection has to be made first. */
const ELSEWHERE_MS = 30_000;

const runForVersion: RunForVersion = (file, args, { env, keepsInput }) =>
  new Promise((resolve) => {
    const options = {
      env,
      timeout: keepsInput ? ELSEWHERE_MS : VERSION_MS,
      killSignal: 'SIGKILL',
      windowsHide: true,
    } as const;
    const child = execFile(file, [...args], options, (_error, stdout) => {
      process.off('exit', onExit);
      resolve(stdout);
    });
    // The keeper ends it if the host dies; this is for hosts without a keeper.
    const onExit = () => child.kill('SIGKILL');
    process.on('exit', onExit);
    if (!keepsInput) child.stdin?.end();
    // Asking for the version must not keep the process alive.
    child.unref();
  });
