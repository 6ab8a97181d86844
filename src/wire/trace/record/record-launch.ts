import type { Transport } from '../../transport/transport.js';
import { recordTransport } from './record-transport.js';
import { asOptions, type RecordingParts, type RecordOptions, startRecording } from './recording.js';
import type { RecordTarget } from './trace-sink.js';

/** What a recording needs to know about a started CLI. */
export interface RecordedLaunch {
  readonly transport: Transport;
  readonly version: Promise<string | undefined>;
  readonly cwd?: string | undefined;
  /** Variables that the CLI got in addition to the host's environment: their secrets are redacted too. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Records one start of a CLI. Every start gets its own file, because files are never overwritten. */
export function recordLaunch(
  record: RecordTarget | RecordOptions,
  launch: RecordedLaunch,
  parts: RecordingParts,
): Transport {
  const { transport, version, env, cwd = process.cwd() } = launch;
  const options = knowing(env, asOptions(record));
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

/** Only a transport to a process has a command line. */
function argvOf(transport: Transport): readonly string[] {
  const commandLine: unknown = 'commandLine' in transport ? transport.commandLine : undefined;
  if (typeof commandLine !== 'object' || commandLine === null) return [];
  const { file, args }: { readonly file?: unknown; readonly args?: unknown } = commandLine;
  return [file, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === 'string');
}
