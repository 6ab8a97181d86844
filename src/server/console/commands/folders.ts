import { readdir, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { OpenParams } from '../../../entry/remote/contract.js';
import { isBelow } from '../../../wire/files/is-below.js';
import { isObject, type WireObject } from '../../../wire/protocol/frames.js';
import { CoxswainError } from '../../../wire/util/errors.js';

/**
 * The folders that sessions may work in: the roots and everything below them, after resolving symbolic links.
 */
export class Folders {
  readonly roots: readonly string[];
  readonly #more: readonly string[];

  /**
   * Roots are real paths, see {@link findRoots}, and so are additional folders, which are not shown as roots.
   */
  constructor(roots: readonly string[], more: readonly string[] = []) {
    this.roots = roots;
    this.#more = more;
  }

  /** The real path of a folder. @throws CoxswainError `FOLDER_REFUSED` if it is not below a root. */
  async check(folder: string): Promise<string> {
    let real: string;
    try {
      real = await realpath(resolve(folder));
    } catch {
      // Do not reveal whether something exists outside the roots.
      throw this.#refusal(folder);
    }
    if (!this.contains(real)) throw this.#refusal(folder);
    return real;
  }

  /** What a client wants to open, with real paths. @throws CoxswainError `FOLDER_REFUSED`. */
  async checkOpen(opened: OpenParams): Promise<OpenParams> {
    const cwd = await this.check(opened.cwd);
    const { program } = opened;
    if (program === undefined) return { ...opened, cwd };
    const { settings } = program.options;
    const permissions = isObject(settings) && isObject(settings.permissions) ? settings.permissions : {};
    // Settings can name such folders too; the CLI resolves both from the working folder.
    await this.#checkMore(permissions, cwd);
    const more = await this.#checkMore(program.options, cwd);
    return { ...opened, cwd, program: { ...program, options: { ...program.options, ...more } } };
  }

  /** Whether a real path is below a root or an additional folder, or is one of them. */
  contains(real: string): boolean {
    return [...this.roots, ...this.#more].some((root) => isBelow(root, real));
  }

  /** The folders in a folder, or the roots. */
  async list(folder: string | undefined): Promise<readonly { name: string; path: string }[]> {
    if (folder === undefined) return this.roots.map((path) => ({ name: basename(path) || path, path }));
    const real = await this.check(folder);
    const entries = await readdir(real, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .slice(0, LISTED)
      .map(({ name }) => ({ name, path: join(real, name) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  }

  /** The additional folders that a session wants to work in, as real paths. */
  async #checkMore({ additionalDirectories: more }: WireObject, cwd: string): Promise<WireObject> {
    if (!Array.isArray(more)) return {};
    const real = more.map((folder) => this.check(resolve(cwd, String(folder))));
    return { additionalDirectories: await Promise.all(real) };
  }

  #refusal(folder: string): CoxswainError {
    const roots = this.roots.join(', ');
    return new CoxswainError('FOLDER_REFUSED', `${folder} is not a folder below ${roots}.`);
  }
}

/** How many folders are listed at most. */
const LISTED = 1_000;

/**
 * The real paths of the roots. @throws CoxswainError `CONSOLE_NOT_STARTED` naming one that does not exist.
 */
export function findRoots(roots: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    roots.map((root) =>
      realpath(resolve(root)).catch((error: unknown) => {
        const message = `The root ${root} is not a folder that can be used.`;
        throw new CoxswainError('CONSOLE_NOT_STARTED', message, { cause: error });
      }),
    ),
  );
}
