import type { DeviceView, Role } from '../../../entry/remote/contract.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { isWithin } from './join-codes.js';
import { hashOf, type Key } from './key.js';
import type { KeyFile } from './key-file.js';
import type { LastUses } from './last-uses.js';
import { Logins } from './logins.js';

/** The dependencies of {@link Devices}. */
export interface DevicesParts {
  /** The keys from this start's tokens. */
  readonly keys: readonly Key[];
  readonly file: KeyFile;
  readonly logins: Logins;
  readonly uses: LastUses;
  readonly now: () => number;
  /** The ids of those that are connected, once per connection. */
  readonly connected: () => readonly string[];
  /** Someone has lost access. */
  readonly onRevoked: () => void;
}

/** The public id of a key or a browser: it tells nothing about the secret, or about its hash on disk. */
export function deviceId(hash: string): string {
  return hashOf(hash).slice(0, 16);
}

/** Everything that has access: keys, and browsers that signed in or joined with one. */
export class Devices {
  readonly #parts: DevicesParts;

  constructor(parts: DevicesParts) {
    this.#parts = parts;
  }

  /** Keys first, then browsers, the latest first. `own` is the caller's id. */
  list(own: string | undefined): readonly DeviceView[] {
    const { logins, now } = this.#parts;
    const keys = this.#keys;
    const browsers = logins.all(now()).toReversed();
    return [
      ...keys.map((key) => this.#view(key.hash, own, { kind: 'key', ...key, key: key.name })),
      ...browsers.flatMap((login) => {
        const key = keys.find(({ hash }) => hash === login.key);
        // Its key is gone or has expired, so it has no access.
        if (key === undefined) return [];
        const { role, agent } = login;
        const about = { role: lower(role, key.role), agent, joined: role !== undefined };
        const since = Logins.since(login);
        return [this.#view(login.hash, own, { kind: 'browser', key: key.name, createdAt: since, ...about })];
      }),
    ];
  }

  /** Whether a key or a browser has access. */
  has(id: string): boolean {
    return this.list(undefined).some((each) => each.id === id);
  }

  /** Takes away the access of a browser, or of a key and everything that signed in with it. */
  revoke(id: string): void {
    const { keys, file, logins, now, onRevoked } = this.#parts;
    const login = logins.all(now()).find(({ hash }) => deviceId(hash) === id);
    const key = file.all.find(({ hash }) => deviceId(hash) === id);
    if (login !== undefined) logins.remove(login.hash);
    else if (key !== undefined) file.remove(key.name);
    else if (keys.some(({ hash }) => deviceId(hash) === id))
      throw refused('This key is the token that the server was started with. Start it with another one.');
    else throw refused(`There is no device ${JSON.stringify(id)}.`);
    onRevoked();
  }

  /** All keys that give access now. */
  get #keys(): readonly Key[] {
    const { keys, file, now } = this.#parts;
    return [...keys, ...file.all].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now());
  }

  #view(
    hash: string,
    own: string | undefined,
    { kind, key, role, createdAt, expiresAt, agent, joined }: Omit<DeviceView, 'id' | 'connected' | 'own'>,
  ): DeviceView {
    const id = deviceId(hash);
    const use = this.#parts.uses.find(hash);
    const connected = this.#parts.connected().filter((each) => each === id).length;
    const used = { lastUsedAt: use?.at, from: use?.from };
    return { id, kind, key, role, createdAt, expiresAt, agent, joined, ...used, connected, own: id === own };
  }
}

function lower(role: Role | undefined, limit: Role): Role {
  return role !== undefined && isWithin(role, limit) ? role : limit;
}

function refused(message: string): CoxswainError {
  return new CoxswainError('COMMAND_INVALID', message);
}
