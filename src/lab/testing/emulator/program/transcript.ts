import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isObject, type WireObject } from '../../../../wire/protocol/frames.js';
import type { Clock } from '../../../../wire/util/clock.js';
import type { Traits } from '../versions/traits.js';

/** Where, under which name and how a conversation is stored. */
export interface TranscriptPlace {
  /** The variable that names the folder for all conversations. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly sessionId: string;
  /** The version; some write late. */
  readonly traits: Traits;
  readonly clock: Clock;
}

/** How much later than it is sent a message is written, in versions that write late. */
const LATE_MS = 100;

/**
 * The folder for a project's conversations: under `COXSWAIN_SESSIONS`, or a folder for temporary files. Never
 * in the user's home, where a real CLI would find them.
 */
export function projectFolder(env: TranscriptPlace['env'], cwd: string): string {
  const base = env.COXSWAIN_SESSIONS || join(tmpdir(), 'coxswain-emulated-sessions');
  return join(base, cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
}

/** Reads a conversation; undefined if there is none with that id. */
export function readTranscript(folder: string, sessionId: string): readonly WireObject[] | undefined {
  const file = join(folder, `${sessionId}.jsonl`);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line): unknown => JSON.parse(line)).filter(isObject);
}

/** The id of the most recently written conversation. */
export function newestSession(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const byAge = files.toSorted(
    (a, b) => statSync(join(folder, b)).mtimeMs - statSync(join(folder, a)).mtimeMs,
  );
  return byAge[0]?.slice(0, -'.jsonl'.length);
}

/** Stores a conversation on disk, one entry per message. */
export class Transcript {
  readonly #place: TranscriptPlace;
  readonly #file: string;
  /** What is not written yet. */
  #late: string[] = [];
  #stopTimer = () => {};
  #parent: unknown = null;
  #title: string | undefined;

  constructor(place: TranscriptPlace) {
    this.#place = place;
    const folder = projectFolder(place.env, place.cwd);
    this.#file = join(folder, `${place.sessionId}.jsonl`);
    // One that is resumed continues after its last message.
    const before = readTranscript(folder, place.sessionId) ?? [];
    this.#parent = before.findLast(({ uuid }) => uuid !== undefined)?.uuid ?? null;
  }

  /** Writes one message, and the title if it is new; a failing disk is no reason to stop. */
  add({ type, message, uuid, parent_tool_use_id: parent }: WireObject, title: string | undefined): void {
    const { cwd, sessionId, traits } = this.#place;
    if (title !== this.#title) this.#write({ type: 'custom-title', customTitle: title, sessionId });
    this.#title = title;
    this.#write({
      parentUuid: this.#parent,
      isSidechain: typeof parent === 'string',
      userType: 'external',
      cwd,
      sessionId,
      version: traits.version,
      type,
      message,
      uuid,
      timestamp: new Date().toISOString(),
    });
    this.#parent = uuid ?? this.#parent;
  }

  /** The process ends: what is not written yet is written, or lost if the process is killed. */
  end({ isKilled }: { readonly isKilled: boolean }): void {
    if (isKilled) this.#late = [];
    this.#flush();
  }

  /** Some versions write everything late, others all but user messages. */
  #write(entry: WireObject): void {
    const { traits, clock } = this.#place;
    const isLate = !(entry.type === 'user' ? traits.keepsKilledSession : traits.keepsKilledReply);
    this.#late.push(`${JSON.stringify(entry)}\n`);
    if (!isLate) this.#flush();
    else if (this.#late.length === 1) this.#stopTimer = clock.after(LATE_MS, () => this.#flush());
  }

  #flush(): void {
    this.#stopTimer();
    const text = this.#late.join('');
    this.#late = [];
    if (text === '') return;
    try {
      mkdirSync(dirname(this.#file), { recursive: true });
      appendFileSync(this.#file, text);
    } catch {
      // Real CLIs also continue without a transcript.
    }
  }
}
