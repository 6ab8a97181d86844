import { randomUUID } from 'node:crypto';
import type { Session } from '../../host/session/session.js';
import { text } from '../../lab/testing/model/replies.js';
import type { ProbeRig } from './probe-rig.js';
import { check } from './probes.js';

/** Sends a message behind an earlier one, resumes the conversation, and reads what the model is then shown. */
export async function probeParentUuid(rig: ProbeRig): Promise<string> {
  rig.answer(({ userText }) => text(`Answer to ${userText}.`));
  const sessionId = randomUUID();
  await using session = await rig.open({ sessionId });
  const parentUuid = await say(session, 'first');
  await say(session, 'mistaken');
  await say(session, 'edited', parentUuid);
  const shown = said(rig);
  await session.close();
  await using resumed = await rig.open({ resume: sessionId });
  await say(resumed, 'later');
  const seen = `${shown.join(', ')}; resumed: ${said(rig).join(', ')}`;
  return check(seen === 'first, edited; resumed: first, edited, later', seen);
}

/** Sends a message; gives the id of what the model answered. */
async function say(session: Session, words: string, parentUuid?: string): Promise<string> {
  let last = '';
  for await (const { type, uuid } of session.send(words, { parentUuid }))
    if (type === 'assistant') last = String(uuid);
  return last;
}

/** The user's words in the last request of the conversation. */
function said({ model }: ProbeRig): readonly string[] {
  const request = model.requests.findLast(({ kind, messages }) => kind === 'main' && messages.length > 1);
  const users = (request?.messages ?? []).filter(({ role }) => role === 'user');
  const words = JSON.stringify(users);
  return ['first', 'mistaken', 'edited', 'later'].filter((word) => words.includes(`"${word}"`));
}
