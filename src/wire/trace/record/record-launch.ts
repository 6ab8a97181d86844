import { basename, dirname, extname, join } from 'node:path';
import type { Transport } from '../../transport/transport.js';
import { recordTransport } from './record-transport.js';
import { asOptions, type RecordingParts, type RecordOptions, startRecording } from './recording.js';
import type { TraceSink } from './trace-sink.js';

/** A CLI that was started, as a recording needs to know it. */
export interface RecordedLaunch {
  readonly transport: Transport;
  readonly version: Promise<string | undefined>;
  readonly cwd?: string | undefined;
  /** What the CLI was given besides the host's own environment: its secrets are redacted too. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The first start of a session, the second … */
  readonly start: number;
}

/** Records one start of a CLI; every start after the first gets its own file. */
export function recordLaunch(
  record: string | TraceSink | RecordOptions,
  launch: RecordedLaunch,
  parts: RecordingParts,
): Transport {
  const { transport, version, start, env, cwd = process.cwd() } = launch;
  const options = knowing(env, asOptions(numbered(record, start)));
  const recording = startRecording(options, { argv: argvOf(transport), cwd }, parts);
  void version.then((cliVersion) => {
    if (cliVersion !== undefined) recording.facts({ cliVersion });
  });
  return recordTransport(transport, recording);
}

/** Redacts the secrets of this environment too, unless the options name one. */
function knowing(env: RecordedLaunch['env'], options: RecordOptions): RecordOptions {
  if (env === undefined || options.redact === false || options.redact?.env !== undefined) return options;
  return { ...options, redact: { ...options.redact, env: { ...process.env, ...env } } };
}

/** The name of a file that is the n-th of its kind: `session-2.trace`. */
export function numberedPath(path: string, number: number): string {
  if (number < 2) return path;
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}-${number}${extension}`);
}

function numbered(
  record: string | TraceSink | RecordOptions,
  start: number,
): string | TraceSink | RecordOptions {
  if (typeof record === 'string') return numberedPath(record, start);
  if (!('to' in record)) return record;
  return typeof record.to === 'string' ? { ...record, to: numberedPath(record.to, start) } : record;
}

/** Only the transport to a process has a command line. */
function argvOf(transport: Transport): readonly string[] {
  const commandLine: unknown = 'commandLine' in transport ? transport.commandLine : undefined;
  if (typeof commandLine !== 'object' || commandLine === null) return [];
  const { file, args }: { readonly file?: unknown; readonly args?: unknown } = commandLine;
  return [file, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
}
