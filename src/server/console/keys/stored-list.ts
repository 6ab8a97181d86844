import { mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isObject } from '../../../wire/protocol/frames.js';
import type { OptionKind } from '../../../wire/util/option-checks.js';
import { writePrivately } from './private-file.js';

/** The file of a {@link StoredList}. */
export interface StoredListOptions {
  readonly path: string;
  /** The key of the list in the file; the list itself if absent. */
  readonly field?: string | undefined;
  /** What each record must be. */
  readonly kind: OptionKind;
}

/**
 * A list in a private JSON file. Whatever is on disk is checked as input: a broken record is named and does not count,
 * but stays in the file until a person has repaired it.
 */
export class StoredList<Entry> {
  readonly #options: StoredListOptions;
  #seen = '';
  #read: Read<Entry> = NOTHING;

  constructor(options: StoredListOptions) {
    this.#options = options;
  }

  /** The current records; another process may have changed the file. */
  get all(): readonly Entry[] {
    return this.#current.entries;
  }

  /** What is wrong with the file, in words. */
  get problems(): readonly string[] {
    return this.#current.problems;
  }

  /** Replaces the records; broken ones are kept. */
  write(entries: readonly Entry[]): void {
    const { path, field } = this.#options;
    const { broken, isReadable } = this.#current;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!isReadable) renameSync(path, `${path}.damaged-${Date.now()}`);
    const list = [...entries, ...broken];
    writePrivately(path, JSON.stringify(field === undefined ? list : { [field]: list }, null, 2));
  }

  get #current(): Read<Entry> {
    const seen = stampOf(this.#options.path);
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#read = seen === '' ? NOTHING : read(this.#options);
    }
    return this.#read;
  }
}

interface Read<Entry> {
  readonly entries: readonly Entry[];
  readonly broken: readonly unknown[];
  readonly problems: readonly string[];
  readonly isReadable: boolean;
}

const NOTHING = { entries: [], broken: [], problems: [], isReadable: true };

/** What changes with the file; empty if there is none. */
function stampOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeNs} ${stat.size}`;
  } catch {
    return 'unreadable';
  }
}

function read<Entry>({ path, field, kind }: StoredListOptions): Read<Entry> {
  const list = listIn(path, field);
  if (list === undefined) {
    const problem = `${path} is left out, because it is damaged: it is not a list of ${field ?? 'records'}.`;
    return { ...NOTHING, problems: [problem], isReadable: false };
  }
  const faults = list.map((each) => (kind.accepts(each) ? undefined : placeOf(kind, each)));
  return {
    entries: list.filter((_, index) => faults[index] === undefined) as Entry[],
    broken: list.filter((_, index) => faults[index] !== undefined),
    // Without its value, which may be a secret.
    problems: faults.flatMap((place, index) =>
      place === undefined
        ? []
        : [`Record ${index + 1} of ${path} is left out, because it is damaged${place && ` (${place})`}.`],
    ),
    isReadable: true,
  };
}

function listIn(path: string, field: string | undefined): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const list = field === undefined ? value : isObject(value) ? value[field] : undefined;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(kind: OptionKind, value: unknown): string {
  return (kind.fault?.(value)?.path ?? '').replace(/^\./, '');
}
