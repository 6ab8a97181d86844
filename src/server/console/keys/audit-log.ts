import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Role } from '../../../entry/remote/contract.js';

/** An action, or an attempt. */
export interface AuditEntry {
  /** A command, `login`, `device joined`, `login refused` or `key refused`. */
  readonly what: string;
  readonly ok: boolean;
  /** The key's name; undefined if there was none. */
  readonly key?: string | undefined;
  readonly role?: Role | undefined;
  /** The client's own name. */
  readonly client?: string | undefined;
  /** The id of the key or browser, as in the list of devices. */
  readonly device?: string | undefined;
  /** The address of the client, or of the proxy in front of the server. */
  readonly from?: string | undefined;
  /** How often it happened since the last such entry, if more than once. */
  readonly times?: number | undefined;
  readonly session?: string | undefined;
  /** Its subject, in one line. */
  readonly about?: string | undefined;
  /** Why it failed. */
  readonly error?: string | undefined;
}

/** How long a refusal stands for those that follow it, and how many are remembered. */
const MOMENT_MS = 10_000;
const MOST_REFUSED = 1_000;

/** Who did what, one JSON object per line. Append-only. */
export class AuditLog {
  readonly #now: () => number;
  #file: number | undefined;
  /** When each of those who were kept out got an entry, and how often not since then. */
  readonly #refused = new Map<string, { readonly at: number; missed: number }>();

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

  /** Someone was kept out. Those who try again and again get one entry per moment, and cannot fill the disk. */
  refused(what: 'login refused' | 'key refused', from: string | undefined): void {
    const id = `${what} ${from}`;
    const before = this.#refused.get(id);
    const now = this.#now();
    if (before !== undefined && now - before.at < MOMENT_MS) {
      before.missed += 1;
      return;
    }
    if (this.#refused.size >= MOST_REFUSED) this.#refused.clear();
    this.#refused.set(id, { at: now, missed: 0 });
    const missed = before?.missed ?? 0;
    this.add({ what, ok: false, from, times: missed > 0 ? missed + 1 : undefined });
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
