import type { FrameChange } from '../../wire/trace/analysis/diff-traces.js';
import { formatDifferences } from '../../wire/trace/analysis/differences.js';
import type { FrameNote } from '../../wire/trace/analysis/frame-notes.js';
import { requestIdOf, summariseFrame } from '../../wire/trace/analysis/label.js';
import type { Finding } from '../../wire/trace/analysis/mistakes.js';
import type { TraceInfo } from '../../wire/trace/analysis/trace-info.js';
import { plain, plainLine } from '../../wire/util/plain.js';
import type { CommandContext } from '../command-context.js';
import { type Look, lookFor } from '../terminal/look.js';

/** The format of stdout. */
export function lookOf({ outIsTty, env, platform }: CommandContext): Look {
  return lookFor({ isTty: outIsTty, env, platform });
}

/** A value as one line of versioned JSON. */
export function jsonLine(value: object): string {
  return `${JSON.stringify({ schema: 1, ...value })}\n`;
}

/** A wire line for programs. */
export function noteJson({ at, t, from, label, subtype, frame, line }: FrameNote): object {
  const id = frame === undefined ? undefined : requestIdOf(frame);
  return {
    at,
    t,
    from,
    label,
    subtype,
    requestId: id,
    ...(frame === undefined ? { text: line } : { frame }),
  };
}

/** A wire line for people: position, time, sender, name and content, on one line. */
export function noteText({ at, t, from, label, frame, line }: FrameNote, look: Look): string {
  const time = `${(t / 1000).toFixed(3)}s`.padStart(10);
  const sender = from === 'host' ? look.cyan('host >') : look.green('< cli ');
  const summary = plainLine(frame === undefined ? line : summariseFrame(frame), 120);
  return `${String(at).padStart(6)} ${look.dim(time)} ${sender} ${look.bold(label)} ${look.dim(summary)}`.trimEnd();
}

/** The contents of a recording, for people. */
export function infoText(info: TraceInfo): string {
  const { header, lines, tokens, end } = info;
  const rows: readonly (readonly [string, string])[] = [
    ['recorded', `${header.startedAt} on ${header.platform} ${header.arch}`],
    ['command', header.argv.join(' ') || '(no process)'],
    ['CLI', info.cliVersion ?? 'unknown'],
    ['session', info.sessionId ?? 'unknown'],
    ['lasted', `${(info.durationMs / 1000).toFixed(1)} s`],
    [
      'lines',
      `${lines.host} from the host, ${lines.cli} from the CLI${info.noise > 0 ? `, ${info.noise} noise` : ''}`,
    ],
    ['turns', `${info.turns}`],
    ['tokens', `${tokens.input} in, ${tokens.output} out`],
    ...(info.costUsd === undefined ? [] : [['cost', `$${info.costUsd.toFixed(4)}`] as const]),
    ['end', end === undefined ? 'not recorded' : endText(end)],
    ['secrets', header.redacted ? 'removed' : 'NOT REMOVED'],
    ...info.remarks.map((remark) => ['note', remark] as const),
  ];
  const frames = Object.entries(info.frames).map(
    ([name, count]) => `  ${String(count).padStart(7)}  ${name}`,
  );
  return plain(
    `${rows.map(([name, value]) => `${name.padEnd(9)} ${value}`).join('\n')}\n\n${frames.join('\n')}\n`,
  );
}

/** The findings of a check, for people. */
export function findingText({ at, severity, label, message }: Finding, look: Look): string {
  const sign = severity === 'error' ? look.red('error  ') : look.yellow('warning');
  return `${String(at).padStart(6)} ${sign} ${look.bold(plainLine(label))}: ${plainLine(message, 400)}`;
}

/** A difference between two recordings, for people. */
export function changeText(change: FrameChange, look: Look): string {
  const { left, right, from, label, differences } = change;
  const sign = { removed: look.red('-'), added: look.green('+'), changed: look.yellow('~') }[change.change];
  const places = [left, right].map((place) => (place === undefined ? '-' : `line ${place}`)).join(' | ');
  const head = `${sign} ${from} ${look.bold(label)} (${places})`;
  return differences.length === 0
    ? head
    : `${head}\n${plain(formatDifferences(differences, { expected: 'first', got: 'second' }))}`;
}

function endText(end: NonNullable<TraceInfo['end']>): string {
  if (end.reason === 'closed') return 'closed';
  if (end.reason === 'failed') return `failed: ${end.error}`;
  return end.signal === null ? `exit code ${end.code}` : `signal ${end.signal}`;
}
