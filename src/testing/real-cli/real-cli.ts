import type { End, OnLines, Transport } from '../../transport/transport.js';
import { CoxswainError } from '../../util/errors.js';
import { foldersToSearch, type KnownRealCli, knownRealClis } from './known-clis.js';
import { scrubbedEnvironment } from './scrubbed-environment.js';
import { spawnCli } from './spawn-cli.js';
import { makeThrowawayFolders, type ThrowawayFolders } from './throwaway-folders.js';

/** What {@link realCli} can be told. Either `version` or `path` is needed. */
export interface RealCliOptions {
  /** A version that is installed where {@link knownRealClis} looks. */
  readonly version?: string;
  /** The CLI itself: `cli.js` or a binary. */
  readonly path?: string;
  /** The scripted model that it talks to. */
  readonly model: { readonly url: string };
  /** The name of the model that it asks for. */
  readonly modelName?: string;
  /** The folder of npm packages in which `version` is looked for. */
  readonly clisFolder?: string;
  /** Its home; a throwaway one unless given. */
  readonly home?: string;
  /** Its working folder; a throwaway one unless given. */
  readonly cwd?: string;
  /** Environment variables beside the scrubbed ones; `undefined` takes one out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Any flags by name without dashes: a text for a value, null for a switch. */
  readonly extraArgs?: Readonly<Record<string, string | null>>;
}

/** A real CLI that runs, as a transport. `close()` also removes what was made for it. */
export interface RealCli extends Transport, AsyncDisposable {
  readonly version: string | undefined;
  readonly path: string;
  readonly home: string;
  readonly cwd: string;
}

/**
 * Starts a real CLI against a scripted model, with nothing of this machine's configuration.
 * @throws CoxswainError `CLI_NOT_FOUND` when the version is not installed in the folders it names.
 */
export async function realCli(options: RealCliOptions): Promise<RealCli> {
  const { version, path } = pickCli(options);
  const folders = await makeThrowawayFolders();
  const home = options.home ?? folders.home;
  const cwd = options.cwd ?? folders.cwd;
  try {
    const env = scrubbedEnvironment({
      home,
      tmp: folders.tmp,
      modelUrl: options.model.url,
      ...(options.env === undefined ? {} : { extra: options.env }),
    });
    const { modelName = 'sonnet', extraArgs = {} } = options;
    const extra = Object.entries(extraArgs).flatMap(([name, value]) =>
      value === null ? [`--${name}`] : [`--${name}`, value],
    );
    const transport = await spawnCli({ path, cwd, env, args: ['--model', modelName, ...extra] });
    return new OwnedCli(transport, folders, { version, path, home, cwd });
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

function pickCli(options: RealCliOptions): { version: string | undefined; path: string } {
  const { version, path, clisFolder } = options;
  if (path !== undefined) return { version, path };
  if (version === undefined) {
    throw new CoxswainError('OPTION_INVALID', 'A real CLI needs `version` or `path`: neither was given.');
  }
  const where = clisFolder === undefined ? {} : { folder: clisFolder };
  const known = knownRealClis(where);
  const found = known.find((cli) => cli.version === version);
  if (found === undefined) throw notInstalled(version, known, foldersToSearch(where));
  return found;
}

function notInstalled(
  version: string,
  known: readonly KnownRealCli[],
  folders: readonly string[],
): CoxswainError {
  const there = known.map((cli) => cli.version).join(', ') || 'none';
  return new CoxswainError(
    'CLI_NOT_FOUND',
    `The real CLI ${version} is not installed. Installed: ${there}. Looked in ${folders.join(', ')}. ` +
      'Set COXSWAIN_REAL_CLIS to the node_modules folder that has it.',
  );
}

type Facts = Pick<RealCli, 'version' | 'path' | 'home' | 'cwd'>;

/** A transport that takes its folders with it when it is closed. */
class OwnedCli implements RealCli {
  readonly ended: Promise<End>;
  readonly version: string | undefined;
  readonly path: string;
  readonly home: string;
  readonly cwd: string;
  readonly #transport: Transport;
  readonly #folders: ThrowawayFolders;

  constructor(transport: Transport, folders: ThrowawayFolders, facts: Facts) {
    this.#transport = transport;
    this.#folders = folders;
    this.ended = transport.ended;
    this.version = facts.version;
    this.path = facts.path;
    this.home = facts.home;
    this.cwd = facts.cwd;
  }

  start(onLines: OnLines): void {
    this.#transport.start(onLines);
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  send(line: string): Promise<void> {
    return this.#transport.send(line);
  }

  async close(): Promise<End> {
    try {
      return await this.#transport.close();
    } finally {
      await this.#folders.remove();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
