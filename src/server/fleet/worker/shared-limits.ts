import { faultOf } from '../../../wire/util/option-checks.js';
import { OWN_LOGIN, ownAccount } from '../../manager/limits/login.js';
import type { LimitExchange, LoginLimits } from '../../manager/limits/plan-holds.js';
import { storedLimits } from '../../manager/store/stored-shapes.js';
import type { Keys } from '../engine/engine.js';

/** Keys with a dot are no workers. */
const PREFIX = 'limits.';
/** Windows last a week. */
const KEPT_S = 8 * 24 * 3_600;

/**
 * The usage limits of each login, shared by the workers of a fleet: what a CLI of one reports holds back the work of all that use
 * the same account.
 */
export class SharedLimits implements LimitExchange {
  readonly #keys: Keys;
  readonly #known = new Map<
    string,
    { readonly limits: LoginLimits | undefined; readonly revision: number }
  >();
  readonly #writing = new Set<string>();
  /** The key of this worker's own login, whose name is the same on each worker. */
  readonly #own: string;
  #learn: (limits: LoginLimits) => void = () => {};
  #stop: () => void = () => {};

  constructor(keys: Keys, account: string = ownAccount()) {
    this.#keys = keys;
    this.#own = PREFIX + account;
  }

  /** Resolves when what others have reported is known. */
  async open(): Promise<void> {
    this.#stop = await this.#keys.watch(({ key, value, revision }) => {
      if (!key.startsWith(PREFIX)) return;
      // Checked here.
      const limits = faultOf(storedLimits, value) === undefined ? (value as LoginLimits) : undefined;
      const before = this.#known.get(key)?.limits;
      this.#known.set(key, { limits: newer(before, limits), revision });
      if (limits !== undefined && this.#keyOf(limits) === key) this.#learn(limits);
    });
  }

  listen(learn: (limits: LoginLimits) => void): void {
    this.#learn = learn;
    for (const [key, { limits }] of this.#known)
      if (limits !== undefined && this.#keyOf(limits) === key) learn(limits);
  }

  /** While one report is being written, later ones wait, and only the last of them is written. */
  tell(limits: LoginLimits): void {
    const key = this.#keyOf(limits);
    const { revision = 0 } = this.#known.get(key) ?? {};
    this.#known.set(key, { limits, revision });
    if (!this.#writing.has(key)) void this.#write(key);
  }

  close(): void {
    this.#stop();
  }

  #keyOf({ login }: LoginLimits): string {
    return login === OWN_LOGIN ? this.#own : PREFIX + login;
  }

  async #write(key: string): Promise<void> {
    this.#writing.add(key);
    for (let told: LoginLimits | undefined; told !== this.#known.get(key)?.limits; ) {
      const { limits, revision } = this.#known.get(key) ?? { limits: undefined, revision: 0 };
      told = limits;
      if (limits === undefined) break;
      // If it fails, another worker has just reported, or the engine is away: the next report comes soon.
      const next = await this.#keys
        .put(key, JSON.stringify(limits), { revision, seconds: KEPT_S })
        .catch(() => undefined);
      if (next === undefined) break;
      this.#known.set(key, { limits: this.#known.get(key)?.limits, revision: next });
    }
    this.#writing.delete(key);
  }
}

function newer(one: LoginLimits | undefined, other: LoginLimits | undefined): LoginLimits | undefined {
  return one === undefined || (other !== undefined && other.at >= one.at) ? other : one;
}
