import { isObject } from '../../../wire/protocol/frames.js';
import { pathsOf, readText, readVariable, type System } from '../../../wire/transport/process/system.js';

/** CLIs touch a lock every five seconds while they hold it, and take over one that is older than this. */
export const STALE_MS = 10_000;

/** A folder by which CLIs take turns: whoever creates it holds the lock. */
export interface LoginLock {
  readonly path: string;
  /** When its holder last touched it, in milliseconds since 1970. */
  readonly touchedAt: number;
}

/** The login that the CLIs of one config folder share, and its locks. Reads when it ends, never its tokens. */
export class Login {
  /** The file with the credentials; on macOS they are in the keychain. */
  readonly file: string;
  readonly #locks: readonly string[];
  readonly #system: System;

  constructor(folder: string, system: System) {
    const { join } = pathsOf(system.platform);
    this.#system = system;
    this.file = join(folder, '.credentials.json');
    // Old CLIs know only the first.
    this.#locks = [`${folder}.lock`, join(folder, '.oauth_refresh.lock')];
  }

  /** When the access token ends, in milliseconds since 1970; undefined if there is none here. */
  get expiresAt(): number | undefined {
    const text = readText(this.#system.files, this.file);
    if (text === undefined) return undefined;
    try {
      const stored: unknown = JSON.parse(text);
      const login = isObject(stored) && isObject(stored.claudeAiOauth) ? stored.claudeAiOauth : {};
      return typeof login.expiresAt === 'number' ? login.expiresAt : undefined;
    } catch {
      // Being written, or not a login.
      return undefined;
    }
  }

  /** The locks that exist, whether held or left behind. */
  get locks(): readonly LoginLock[] {
    return this.#locks.flatMap((path) => {
      const found = this.#system.files.stat(path);
      return found === undefined ? [] : [{ path, touchedAt: found.mtimeMs }];
    });
  }

  /** Whether a CLI is renewing it. */
  isBeingRenewed(now: number = Date.now()): boolean {
    return this.locks.some(({ touchedAt }) => now - touchedAt < STALE_MS);
  }
}

/** The login of a CLI with this environment; undefined if it has a key or a token, or uses a cloud provider. */
export function loginOf(env: Readonly<NodeJS.ProcessEnv>, system: System): Login | undefined {
  const variable = (name: string) => readVariable(system.platform, env, name);
  if (OTHER_CREDENTIALS.some((name) => variable(name))) return undefined;
  return new Login(loginFolder(env, system), system);
}

/** The folder with the login: not always the config folder. */
function loginFolder(env: Readonly<NodeJS.ProcessEnv>, system: System): string {
  const variable = (name: string) => readVariable(system.platform, env, name);
  const apart = variable(LOGIN_FOLDER_VARIABLE);
  if (apart) return apart;
  const config = apart === undefined ? variable('CLAUDE_CONFIG_DIR') : undefined;
  const home = variable(system.platform === 'win32' ? 'USERPROFILE' : 'HOME') || system.home;
  return config || pathsOf(system.platform).join(home, '.claude');
}

/** The same for {@link LOGIN_FOLDER_VARIABLE}: on macOS, the name of the usual keychain entry comes with an empty value. */
export function loginFolderName(env: Readonly<NodeJS.ProcessEnv>, system: System): string {
  const isUsual = !env[LOGIN_FOLDER_VARIABLE] && !env.CLAUDE_CONFIG_DIR;
  return isUsual && system.platform === 'darwin' ? '' : loginFolder(env, system);
}

/** Names the folder of the login; if it is empty, that is the usual one. Old CLIs ignore it. */
export const LOGIN_FOLDER_VARIABLE = 'CLAUDE_SECURESTORAGE_CONFIG_DIR';

const OTHER_CREDENTIALS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
];
