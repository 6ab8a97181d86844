import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a rewind would change. */
export interface Rewind {
  readonly filesChanged: readonly string[];
  readonly insertions: number;
  readonly deletions: number;
}

interface Backup {
  /** The user message whose turn changed the file. */
  readonly messageId: string;
  readonly path: string;
  /** Its content; undefined if it did not exist. */
  readonly text: string | undefined;
}

/** Files before tools changed them, by the user message of that turn. */
export class Checkpoints {
  readonly #backups: Backup[] = [];
  readonly #order: string[] = [];

  /** Starts a user message's turn. */
  begin(messageId: string): void {
    this.#order.push(messageId);
  }

  /** Saves a file's current state, before it is changed. */
  keep(path: string): void {
    const messageId = this.#order.at(-1);
    if (messageId === undefined) return;
    if (this.#backups.some((backup) => backup.messageId === messageId && backup.path === path)) return;
    const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    this.#backups.push({ messageId, path, text });
  }

  /** What rewinding to before this message would change. */
  preview(messageId: string): Rewind {
    const first = this.#firstSince(messageId);
    const now = new Map([...first.keys()].map((path) => [path, linesIn(path)]));
    const changes = [...first].map(([path, text]) => ({
      grows: Math.max(0, count(text) - (now.get(path) ?? 0)),
      shrinks: Math.max(0, (now.get(path) ?? 0) - count(text)),
    }));
    return {
      filesChanged: [...first.keys()],
      insertions: changes.reduce((sum, { grows }) => sum + grows, 0),
      deletions: changes.reduce((sum, { shrinks }) => sum + shrinks, 0),
    };
  }

  /** Restores files to their state before this message. */
  rewind(messageId: string): void {
    for (const [path, text] of this.#firstSince(messageId)) {
      if (text === undefined) rmSync(path, { force: true });
      else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    }
  }

  /** The oldest state of each file that was changed since a message. */
  #firstSince(messageId: string): ReadonlyMap<string, string | undefined> {
    const from = this.#order.indexOf(messageId);
    const since = new Set(from === -1 ? [] : this.#order.slice(from));
    const found = new Map<string, string | undefined>();
    for (const { messageId: id, path, text } of this.#backups) {
      if (since.has(id) && !found.has(path)) found.set(path, text);
    }
    return found;
  }
}

function linesIn(path: string): number {
  return existsSync(path) ? count(readFileSync(path, 'utf8')) : 0;
}

function count(text: string | undefined): number {
  return text === undefined || text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
}
