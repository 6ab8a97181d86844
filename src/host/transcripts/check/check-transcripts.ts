import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { errorText } from '../../../wire/util/error-text.js';
import { CoxswainError } from '../../../wire/util/errors.js';
import { asSessionId } from '../session-id.js';
import { checkConversation } from './check-conversation.js';
import { type CheckedLines, checkLines } from './check-lines.js';
import { Findings, type TranscriptReport } from './finding.js';

/**
 * Checks a transcript, or every transcript below a folder, and explains what is broken. Changes nothing. @throws
 * CoxswainError `TRANSCRIPT_INVALID` if the path does not exist.
 */
export async function* checkTranscripts(path: string): AsyncGenerator<TranscriptReport, void, undefined> {
  for await (const file of transcriptsIn(resolve(path))) yield await checkTranscript(file);
}

async function* transcriptsIn(path: string): AsyncGenerator<string, void, undefined> {
  const facts = await stat(path).catch((error: unknown) => {
    throw new CoxswainError(
      'TRANSCRIPT_INVALID',
      `There is nothing to check at ${path}: ${errorText(error)}.`,
      {
        cause: error,
      },
    );
  });
  if (!facts.isDirectory()) {
    yield path;
    return;
  }
  const names = await readdir(path, { recursive: true });
  for (const name of names.toSorted()) if (name.endsWith('.jsonl')) yield join(path, name);
}

async function checkTranscript(file: string): Promise<TranscriptReport> {
  const findings = new Findings();
  const checked = await checkLines(file, findings);
  const messages = checked === undefined ? 0 : await checkWhole(file, checked, findings);
  return {
    file,
    lines: checked?.lines ?? 0,
    messages,
    findings: findings.sorted,
    more: findings.more,
  };
}

async function checkWhole(file: string, checked: CheckedLines, findings: Findings): Promise<number> {
  if (checked.lines === 0) {
    findings.add('EMPTY_FILE', 'The file is empty.');
    return 0;
  }
  const messages = checkConversation(checked, findings);
  if (messages.length === 0) findings.add('NO_CONVERSATION', 'No message was found.');
  await checkOwner(file, checked, findings);
  return messages.length;
}

async function checkOwner(file: string, { sessionIds }: CheckedLines, findings: Findings): Promise<void> {
  const name = asSessionId(basename(file, '.jsonl'));
  if (name === undefined) {
    await checkSubagent(file, [...sessionIds.keys()], findings);
    return;
  }
  const others = [...sessionIds.keys()].filter((id) => id !== name);
  if (others.length === 0) return;
  const list = others.slice(0, 3).join(', ');
  if (sessionIds.has(name)) findings.add('MIXED_SESSIONS', `Some entries belong to ${list}.`);
  else findings.add('WRONG_SESSION', `All entries belong to ${list}.`);
}

/** The transcript of a subagent is below the folder of its session, or next to the session's transcript. */
async function checkSubagent(file: string, sessionIds: readonly string[], findings: Findings): Promise<void> {
  if (!basename(file).startsWith('agent-')) return;
  const above = file.split(`${sep}subagents${sep}`)[0] ?? file;
  const owners = above === file ? sessionIds.map((id) => join(dirname(file), id)) : [above];
  const found = await Promise.all(owners.map((owner) => stat(`${owner}.jsonl`).catch(() => undefined)));
  if (found.some((facts) => facts !== undefined)) return;
  findings.add(
    'SIDECHAIN_WITHOUT_OWNER',
    `There is no transcript of session ${owners.map((owner) => basename(owner)).join(', ')}.`,
  );
}
