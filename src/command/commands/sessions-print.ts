import type { TranscriptFinding, TranscriptReport } from '../../host/transcripts/check/finding.js';
import type { SessionInfo, SessionMessage } from '../../host/transcripts/transcript-types.js';
import { isObject } from '../../wire/protocol/frames.js';
import { plain, plainLine } from '../../wire/util/plain.js';
import type { Look } from '../terminal/look.js';

/** A session on one line: last change, id and title. */
export function infoText(info: SessionInfo, look: Look): string {
  const time = new Date(info.lastModified).toISOString().slice(0, 16).replace('T', ' ');
  const marks = [
    ...(info.tag === undefined ? [] : [`#${plainLine(info.tag, 30)}`]),
    ...(info.archived === true ? ['archived'] : []),
  ];
  const title = [look.bold(plainLine(info.summary, 100)), ...marks.map(look.cyan)].join(' ');
  return `${look.dim(time)}  ${info.sessionId}  ${title}\n`;
}

/** A message: its sender, texts, calls and results. */
export function messageText({ type, message, timestamp }: SessionMessage, look: Look): string {
  const who = type === 'user' ? look.cyan(type) : look.green(type);
  const content = isObject(message) ? message.content : undefined;
  const blocks: readonly unknown[] = Array.isArray(content)
    ? content
    : [{ type: 'text', text: content ?? '' }];
  return `${who} ${look.dim(timestamp ?? '')}\n${blocks.map((block) => `${blockText(block, look)}\n`).join('')}\n`;
}

function blockText(block: unknown, look: Look): string {
  if (!isObject(block)) return '';
  if (block.type === 'text') return plain(String(block.text));
  const { type, name, input, content } = block;
  const what =
    type === 'tool_use' ? `${String(name)} ${JSON.stringify(input)}` : JSON.stringify(content ?? '');
  return look.dim(plainLine(`${String(type)}: ${what}`, 160));
}

/** The findings in a file; empty if there are none. */
export function reportText({ file, findings, more }: TranscriptReport, look: Look, verbose: boolean): string {
  const told = findings.filter(({ severity }) => verbose || severity !== 'note');
  if (told.length === 0) return '';
  const rest = more === 0 ? [] : [`  and ${more} more like these`];
  return `${[look.bold(plain(file)), ...told.flatMap((each) => findingLines(each, look)), ...rest].join('\n')}\n\n`;
}

function findingLines(
  { severity, line, code, what, means, remedy }: TranscriptFinding,
  look: Look,
): string[] {
  const paint = { error: look.red, warning: look.yellow, note: look.dim }[severity];
  const place = line === undefined ? '' : `line ${line}: `;
  return [
    `${paint(`  ${severity === 'note' ? look.dot : look.bad} ${code}`)} ${place}${plain(what)}`,
    `    what it means: ${means}`,
    `    what to do: ${remedy}`,
  ];
}
