import { readVariable, type System, variableName } from '../../wire/transport/process/system.js';
import { OptionError } from '../../wire/util/option-checks.js';

/** What the child's environment is based on: the host's, nothing, or a short list. */
export type EnvMode = 'extend' | 'replace' | 'isolated';

/** The parts of the child's environment. */
export interface EnvironmentParts {
  /** The caller's variables; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly envMode?: EnvMode | undefined;
  /** Variables that options turn into; the caller's own variables take precedence. */
  readonly fromOptions?: Readonly<Record<string, string>>;
  /** Variables that are always set and cannot be overridden: the mark. */
  readonly forced?: Readonly<Record<string, string>>;
}

/** Variables that any program needs, and that have no secrets. */
export const BASIC_VARIABLES: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TERM',
  'TMPDIR',
  'TMP',
  'TEMP',
  'USERPROFILE',
  'USERNAME',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'SYSTEMROOT',
  'SYSTEMDRIVE',
  'WINDIR',
  'COMSPEC',
  'PATHEXT',
];

/**
 * Where the CLI's model is, and the key for it. They belong together: with only one of them, a key would go to another
 * server than its own. `coxswain script-model` says to set them.
 */
export const MODEL_VARIABLES = [
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_API_KEY',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
] as const;

/** The variables that `envMode: 'isolated'` copies from the host, if they are set. */
const ISOLATED_VARIABLES: readonly string[] = [...BASIC_VARIABLES, ...MODEL_VARIABLES];

/**
 * Variables that are meant for the host alone: Node flags such as `--inspect` or a loader break a CLI, and with the
 * token of a console the tools of a CLI could answer their own prompts.
 */
const HOST_ONLY_VARIABLES: readonly string[] = ['NODE_OPTIONS', 'COXSWAIN_TOKEN', 'COXSWAIN_WATCH_TOKEN'];

/**
 * Creates the child's environment as a new object; the host's own is never modified.
 * @throws OptionError when the result has no PATH, without which the CLI finds none of its tools.
 */
export function buildEnvironment(parts: EnvironmentParts, system: System): Record<string, string> {
  const { env = {}, envMode = 'extend', fromOptions = {}, forced = {} } = parts;
  const merged = new Variables(system.platform);
  if (envMode === 'extend') merged.add(system.env);
  if (envMode === 'isolated') merged.add(basicVariables(system));
  merged.remove(HOST_ONLY_VARIABLES);
  merged.add(fromOptions);
  merged.add(env);
  merged.add(forced);
  const result = merged.toObject();
  checkSearchPath(readVariable(system.platform, result, 'PATH'), envMode);
  return result;
}

/** @throws OptionError for an environment without PATH. */
export function checkSearchPath(searchPath: string | undefined, envMode: EnvMode): void {
  if (searchPath) return;
  throw new OptionError(
    'env',
    `Option "env": the environment of the CLI has no PATH (envMode "${envMode}"). Add PATH: process.env.PATH, or use envMode "isolated".`,
  );
}

/** The environment for a program that is not of this host: of the host's variables, only those about the model. */
export function environmentElsewhere(parts: EnvironmentParts, system: System): Record<string, string> {
  const { env = {}, envMode, fromOptions = {} } = parts;
  const merged = new Variables('linux');
  const names = envMode === 'replace' ? [] : MODEL_VARIABLES;
  merged.add(Object.fromEntries(names.map((name) => [name, system.env[name]])));
  merged.add(fromOptions);
  merged.add(env);
  return merged.toObject();
}

/** One variable of the child's environment, unless an option sets it. Reading all of the host's takes longer. */
export function variableFor(
  name: string,
  { env = {}, envMode = 'extend' }: Pick<EnvironmentParts, 'env' | 'envMode'>,
  { platform, env: host }: System,
): string | undefined {
  const own = variableName(platform, env, name);
  if (own !== undefined) return env[own];
  const isInherited =
    (envMode === 'extend' && !HOST_ONLY_VARIABLES.includes(name)) ||
    (envMode === 'isolated' && ISOLATED_VARIABLES.includes(name));
  return isInherited ? readVariable(platform, host, name) : undefined;
}

function basicVariables({ platform, env }: System): Record<string, string | undefined> {
  return Object.fromEntries(ISOLATED_VARIABLES.map((name) => [name, readVariable(platform, env, name)]));
}

/** A set of variables, by the naming rules of a platform: on Windows a later `PATH` replaces `Path`. */
class Variables {
  readonly #fold: (name: string) => string;
  readonly #entries = new Map<string, readonly [name: string, value: string]>();

  constructor(platform: NodeJS.Platform) {
    this.#fold = platform === 'win32' ? (name) => name.toUpperCase() : (name) => name;
  }

  add(variables: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(variables)) {
      if (value === undefined) this.#entries.delete(this.#fold(name));
      else this.#entries.set(this.#fold(name), [name, value]);
    }
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.#entries.delete(this.#fold(name));
  }

  toObject(): Record<string, string> {
    return Object.fromEntries(this.#entries.values());
  }
}
