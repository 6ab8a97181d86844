import { type CliTransport, type LaunchParts, launchCli } from '../../../host/cli/launch-cli.js';
import type { CliOptions } from '../../../host/cli/options/cli-options.js';
import type { TransportEnd } from '../../../wire/transport/transport.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { OptionError } from '../../../wire/util/option-checks.js';
import { foldersToSearch, type KnownRealCli, knownRealClis } from './known-clis.js';
import { scrubbedEnvironment } from './scrubbed-environment.js';
import { makeThrowawayFolders, type ThrowawayFolders } from './throwaway-folders.js';

/** The options of {@link realCli}: the CLI, the model, and any CLI option. */
export interface RealCliOptions extends Omit<CliOptions, 'cli' | 'envMode' | 'model'> {
  /** A version that {@link knownRealClis} finds. Default: the newest of them. */
  readonly version?: string | undefined;
  /** The CLI itself: `cli.js` or a binary. */
  readonly path?: string | undefined;
  /** The scripted model that it talks to. */
  readonly model: { readonly url: string };
  /** The model name to request. Default: `sonnet`. */
  readonly modelName?: string | undefined;
  /** The folder of npm packages to search for `version`. */
  readonly clisFolder?: string | undefined;
  /** Its home folder. Default: a throwaway one. */
  readonly home?: string | undefined;
}

/** A running real CLI, as a transport. `close()` also removes its temporary folders. */
export interface RealCli extends CliTransport {
  /** Its home folder. */
  readonly home: string;
  /** Its working folder. */
  readonly cwd: string;
}

/** The dependencies of a real CLI. */
export interface RealCliParts extends LaunchParts {
  /** Where the temporary folders are created. Default: the system's folder for temporary files. */
  readonly tmpFolder?: string;
}

/**
 * Starts a real CLI against a scripted model, without this machine's configuration: it reads no settings files, sends
 * prompts to the host, and inherits only PATH from the environment. @throws CoxswainError `CLI_NOT_FOUND` if the
 * version, or any, is not installed, and errors of `launchCli`.
 */
export async function realCli(options: RealCliOptions, parts: RealCliParts = {}): Promise<RealCli> {
  const { version, path, clisFolder, model, modelName = 'sonnet', ...cliOptions } = options;
  checkModel(model);
  const cli = path ?? findVersion(version, clisFolder);
  const folders = await makeThrowawayFolders(parts.tmpFolder);
  const { home = folders.home, cwd = folders.cwd, env: extra = {}, ...rest } = cliOptions;
  try {
    const env = scrubbedEnvironment({ home, tmp: folders.tmp, modelUrl: model.url, extra });
    const transport = await launchCli(
      { ...DEFAULTS, ...rest, cli, cwd, env, envMode: 'replace', model: modelName },
      parts,
    );
    return withFolders(transport, folders, { home, cwd });
  } catch (error) {
    await folders.remove();
    throw error;
  }
}

const DEFAULTS: CliOptions = { settingSources: [], permissionPromptTool: 'stdio' };

function checkModel(model: unknown): void {
  if (typeof model === 'object' && model !== null && 'url' in model && typeof model.url === 'string') return;
  throw new OptionError('model', 'Option "model" must be a scripted model, or any object with its `url`.');
}

function findVersion(version: string | undefined, folder: string | undefined): string {
  const where = folder === undefined ? {} : { folder };
  const known = knownRealClis(where);
  const found = version === undefined ? known.at(-1) : known.find((cli) => cli.version === version);
  if (found === undefined) throw notInstalled(version, known, foldersToSearch(where));
  return found.path;
}

function notInstalled(
  version: string | undefined,
  known: readonly KnownRealCli[],
  folders: readonly string[],
): CoxswainError {
  const there = known.map((cli) => cli.version).join(', ') || 'none';
  return new CoxswainError(
    'CLI_NOT_FOUND',
    `${version === undefined ? 'No real CLI is installed' : `The real CLI ${version} is not installed. Installed: ${there}`}. ` +
      `Looked in ${folders.join(', ')}. Install one (npm install --save-dev @anthropic-ai/claude-code), ` +
      'or set COXSWAIN_REAL_CLIS to the node_modules folder that has it.',
  );
}

/** Makes a transport remove its folders when it is closed. */
function withFolders(
  transport: CliTransport,
  folders: ThrowawayFolders,
  facts: { readonly home: string; readonly cwd: string },
): RealCli {
  const closeTransport = transport.close.bind(transport);
  const close = async (): Promise<TransportEnd> => {
    try {
      return await closeTransport();
    } finally {
      await folders.remove();
    }
  };
  const dispose = async (): Promise<void> => void (await close());
  return Object.assign(transport, { ...facts, close, [Symbol.asyncDispose]: dispose });
}
