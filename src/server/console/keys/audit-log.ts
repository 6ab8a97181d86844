import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Role } from '../../../entry/remote/contract.js';

/** An action, or an attempt. */
export interface AuditEntry {
  /** A command, `login` or `login refused`. */
  readonly what: string;
  readonly ok: boolean;
  /** The key's name; undefined if there was none. */
  readonly key?: string | undefined;
  readonly role?: Role | undefined;
  /** The client's own name. */
  readonly client?: string | undefined;
  /** Where a login came from. */
  readonly from?: string | undefined;
  readonly session?: string | undefined;
  /** Its subject, in one line. */
  readonly about?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
}

/** Who did what, one JSON object per line. Append-only. */
export class AuditLog {
  readonly #now: () => number;
  #file: number | undefined;

  constructor(path: string, now: () => number) {
    this.#now = now;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      this.#file = openSync(path, 'a', 0o600);
    } catch {
      // Sessions continue even if nothing can be written.
    }
  }

  add(entry: AuditEntry): void {
    if (this.#file === undefined) return;
    const line = JSON.stringify({ at: new Date(this.#now()).toISOString(), ...entry });
    try {
      writeSync(this.#file, `${line}\n`);
    } catch {
      // A full disk ends no session either.
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
