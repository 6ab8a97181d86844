import type { Role } from '../contract.js';

/** A key, or a browser that signed in or joined with one. */
export interface DeviceView {
  /** Its id. */
  readonly id: string;
  /** Whether it is a key, as programs use it, or a browser. */
  readonly kind: 'key' | 'browser';
  /** The name of the key that gives it access. */
  readonly key: string;
  /** Its rights. */
  readonly role: Role;
  /** When the key was created or the browser signed in, in milliseconds since 1970. */
  readonly createdAt: number;
  /** When a key expires; never if absent. */
  readonly expiresAt?: number | undefined;
  /** When it was used last; absent if never. */
  readonly lastUsedAt?: number | undefined;
  /** The address that it was used from last. */
  readonly from?: string | undefined;
  /** What a browser calls itself. */
  readonly agent?: string | undefined;
  /** Whether a browser joined through another device. */
  readonly joined?: boolean | undefined;
  /** How many connections it has. */
  readonly connected: number;
  /** Whether it is the one that asks. */
  readonly own: boolean;
}
