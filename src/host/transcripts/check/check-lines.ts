import { type FileHandle, open } from 'node:fs/promises';
import { contentOf, objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import { errorText } from '../../../wire/util/error-text.js';
import { type Step, stepOf } from '../conversation-steps.js';
import { parsed } from '../ends.js';
import { readLines, type TranscriptLine } from '../transcript-lines.js';
import type { Findings } from './finding.js';

/** A step with the data for checks of whole conversations. */
export interface CheckedStep {
  readonly step: Step;
  readonly line: number;
  /** The ids of the calls in it. */
  readonly calls: readonly string[];
  /** The ids of the calls that it answers. */
  readonly answers: readonly string[];
  readonly hasEmptyText: boolean;
}

/** The result of reading a file. */
export interface CheckedLines {
  readonly lines: number;
  readonly steps: Map<string, CheckedStep>;
  readonly sessionIds: ReadonlyMap<string, number>;
}

/** Reads a file line by line, reports problems of lines, and keeps what links them. */
export async function checkLines(file: string, findings: Findings): Promise<CheckedLines | undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    findings.add('UNREADABLE', `The file cannot be opened: ${errorText(error)}.`);
  });
  if (handle === undefined) return undefined;
  try {
    return await collect(handle, findings);
  } catch (error) {
    findings.add('UNREADABLE', `The file cannot be read to its end: ${errorText(error)}.`);
    return undefined;
  } finally {
    await handle.close();
  }
}

async function collect(handle: FileHandle, findings: Findings): Promise<CheckedLines> {
  const steps = new Map<string, CheckedStep>();
  const sessionIds = new Map<string, number>();
  let lines = 0;
  for await (const line of readLines(handle)) {
    lines = line.number;
    const entry = checkLine(line, findings);
    if (entry === undefined) continue;
    const { sessionId } = entry;
    if (typeof sessionId === 'string') sessionIds.set(sessionId, (sessionIds.get(sessionId) ?? 0) + 1);
    const step = stepOf(entry, line.at, line.bytes);
    if (step === undefined) continue;
    const earlier = steps.get(step.uuid);
    if (earlier !== undefined) {
      findings.add('DUPLICATE_UUID', `Line ${earlier.line} has the same uuid (${step.uuid}).`, line.number);
    }
    steps.set(step.uuid, { step, line: line.number, ...contentFacts(entry) });
  }
  return { lines, steps, sessionIds };
}

function checkLine(
  { text, number, isEnded, bytes }: TranscriptLine,
  findings: Findings,
): WireObject | undefined {
  if (text === undefined) {
    findings.add('LINE_TOO_LONG', `The line has ${bytes} bytes.`, number);
    return undefined;
  }
  const entry = parsed(text);
  if (entry !== undefined) {
    if (typeof entry.type !== 'string') findings.add('NOT_AN_ENTRY', 'The object has no type.', number);
    return entry;
  }
  if (!isEnded) findings.add('CUT_LINE', `The last line is cut off after ${bytes} bytes.`, number);
  else if (isJson(text)) findings.add('NOT_AN_ENTRY', 'The line is not an object.', number);
  else findings.add('INVALID_JSON', `The line is not JSON: ${JSON.stringify(text.slice(0, 60))}.`, number);
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function contentFacts(entry: WireObject): Omit<CheckedStep, 'step' | 'line'> {
  const content = contentOf(entry);
  if (content === '') return { calls: [], answers: [], hasEmptyText: true };
  const blocks = objectsIn(content);
  return {
    calls: blocks.flatMap(({ type, id }) => (type === 'tool_use' && typeof id === 'string' ? [id] : [])),
    answers: blocks.flatMap(({ type, tool_use_id: id }) =>
      type === 'tool_result' && typeof id === 'string' ? [id] : [],
    ),
    hasEmptyText: blocks.some(({ type, text }) => type === 'text' && text === ''),
  };
}
