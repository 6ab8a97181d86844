import { isObject, type WireObject } from '../../protocol/frames.js';
import {
  type RecordedEnd,
  type Sender,
  TRACE_VERSION,
  type TraceBroken,
  type TraceEntry,
  type TraceHeader,
  traceLine,
} from '../format.js';
import { tooNew } from './trace-errors.js';

/** The text before an inserted line, as this package writes it. */
const SPLICED = /^\{"v":\d+,"kind":"line","t":([\d.]+),"from":"(host|cli)","frame":/;

/**
 * Reads one line of a file. An unreadable line is returned as broken.
 * @throws CoxswainError `TRACE_TOO_NEW` for an entry of a later version.
 */
export function decodeEntry(text: string, steps: UpgradeSteps = upgradeSteps): TraceEntry {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return looksSpliced(text) ?? broken('not JSON', text);
  }
  if (!isObject(raw)) return broken('not an object', text);
  const { v } = raw;
  if (typeof v !== 'number') return broken('it has no version "v"', text);
  if (v > TRACE_VERSION) throw tooNew(v);
  return readEntry(upgradeEntry(raw, v, steps), text);
}

type ReadEntry = (raw: WireObject, text: string) => TraceEntry;

const readers: Readonly<Record<string, ReadEntry>> = {
  header: readHeader,
  line: readLine,
  facts: ({ t, cliVersion, sessionId }) => ({
    kind: 'facts',
    t: numberOf(t),
    ...(typeof cliVersion === 'string' ? { cliVersion } : {}),
    ...(typeof sessionId === 'string' ? { sessionId } : {}),
  }),
  eof: ({ t, from }) => ({ kind: 'eof', t: numberOf(t), from: senderOf(from) }),
  signal: ({ t, signal }) => ({ kind: 'signal', t: numberOf(t), signal: String(signal) }),
  gap: ({ t, lines }) => ({ kind: 'gap', t: numberOf(t), lines: numberOf(lines) }),
  full: ({ limit }) => ({ kind: 'full', limit: numberOf(limit) }),
  end: ({ t, end }) => ({ kind: 'end', t: numberOf(t), end: readEnd(end) }),
};

function readEntry(raw: WireObject, text: string): TraceEntry {
  const { kind } = raw;
  const read = typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  return read === undefined ? { kind: 'unknown', entry: raw } : read(raw, text);
}

function readHeader(raw: WireObject): TraceHeader {
  const { startedAt, argv, cwd, platform, arch, writer, redacted, part } = raw;
  return {
    kind: 'header',
    startedAt: String(startedAt ?? ''),
    argv: Array.isArray(argv) ? argv.map(String) : [],
    ...(typeof cwd === 'string' ? { cwd } : {}),
    platform: String(platform ?? ''),
    arch: String(arch ?? ''),
    writer: String(writer ?? ''),
    redacted: redacted === true,
    ...(typeof part === 'number' ? { part } : {}),
  };
}

function readLine(raw: WireObject, text: string): TraceEntry {
  const { t, from, frame, text: noise } = raw;
  if (typeof noise === 'string') {
    return { kind: 'line', t: numberOf(t), from: senderOf(from), line: noise, frame: undefined };
  }
  if (!isObject(frame)) return broken('a line without "frame" or "text"', text);
  const prefix = SPLICED.exec(text)?.[0];
  // Other writers may order the keys differently: then the line is built from its frame.
  const line =
    prefix === undefined ? JSON.stringify(frame) : text.slice(prefix.length, text.lastIndexOf('}'));
  return traceLine({ kind: 'line', t: numberOf(t), from: senderOf(from), line, frame });
}

/** When many lines arrive at once, a line that only looks like an object may be inserted: it was noise. */
function looksSpliced(text: string): TraceEntry | undefined {
  const [prefix, t, from] = SPLICED.exec(text) ?? [];
  if (prefix === undefined || !text.endsWith('}}')) return undefined;
  const line = text.slice(prefix.length, -1);
  return { kind: 'line', t: Number(t), from: senderOf(from), line, frame: undefined };
}

function readEnd(end: unknown): RecordedEnd {
  const { reason, code, signal, stderrTail, error } = isObject(end) ? end : {};
  if (reason === 'failed') return { reason, error: String(error ?? '') };
  if (reason !== 'exited') return { reason: 'closed' };
  return {
    reason,
    code: typeof code === 'number' ? code : null,
    signal: typeof signal === 'string' ? signal : null,
    stderrTail: typeof stderrTail === 'string' ? stderrTail : '',
  };
}

function broken(problem: string, text: string): TraceBroken {
  return { kind: 'broken', problem, text, cut: false };
}

function senderOf(from: unknown): Sender {
  return from === 'host' ? 'host' : 'cli';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Converts an entry of one version to the next. */
export type UpgradeStep = (entry: WireObject) => WireObject;

/** The conversions, by the version that they start from. */
export type UpgradeSteps = Readonly<Record<number, UpgradeStep>>;

/** One conversion for each version released before this one. */
const upgradeSteps: UpgradeSteps = {};

/** Upgrades an entry from its own version to the latest, one version at a time. */
export function upgradeEntry(entry: WireObject, version: number, steps: UpgradeSteps): WireObject {
  const step = steps[version];
  return step === undefined ? entry : upgradeEntry(step(entry), version + 1, steps);
}
